import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Headers of the connection, in the response to a request that came over none. */
const ofTheConnection = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding']);

/**
 * The page that describes the routes, at /docs. It is an app of its own that is made when somebody first looks: its
 * packages would take a tenth of every start, and most never serve it.
 */
export function serveApiPage(app: FastifyInstance): void {
  let page: Promise<FastifyInstance> | null = null;

  async function open(): Promise<FastifyInstance> {
    const { createApiPage } = await import('./api-page-app.ts');
    return createApiPage(app.swagger());
  }
  async function serve({ url, headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    page ??= open().catch((error: unknown) => {
      page = null;
      throw error;
    });
    const found = await (await page).inject({ url, headers });
    if (found.statusCode === 404) {
      reply.callNotFound();
      return reply;
    }
    const sent = Object.entries(found.headers).filter(([name]) => !ofTheConnection.has(name));
    return reply.code(found.statusCode).headers(Object.fromEntries(sent)).send(found.rawPayload);
  }
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, serve);
}
