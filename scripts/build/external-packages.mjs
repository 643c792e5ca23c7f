/** What the bundle loads at run time instead of holding it: packages with files of their own beside their code. */
export const externalPackages = ['better-sqlite3', '@fastify/swagger-ui'];
