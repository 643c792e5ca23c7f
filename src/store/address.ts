/** Whether a database is the address of one in PostgreSQL; otherwise it is the path of a file. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//i.test(database);
