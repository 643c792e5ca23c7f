import type { Http } from '../../client/http.ts';
import type { Column, Output } from '../output/output.ts';

export interface PageOptions {
  page?: number;
  size?: number;
}

/** Asks for one page of a list and prints it. */
export async function printPage<T>(
  { http, out }: { http: Http; out: Output },
  request: { path: string; query: Record<string, string | number | undefined> },
  columns: readonly Column<T>[],
  none: string,
): Promise<void> {
  const { data, pagination } = await http.send<T[]>({ method: 'GET', ...request });
  out.list(data, columns, none);
  if (pagination && pagination.page * pagination.size < pagination.total) {
    out.note(`${data.length} of ${pagination.total}: --page ${pagination.page + 1} shows the next`);
  }
}
