import type { Option } from 'commander';
import type { Http } from '../client/http.ts';
import { numberOption } from './api-command.ts';
import type { Column, Output } from './output.ts';

/** The options of a list that comes in pages. */
export const pagingOptions = (): Option[] => [
  numberOption('--page <n>', 'page number, from 1', [1, 1_000_000]),
  numberOption('--size <n>', 'entries per page (default 50)', [1, 200]),
];

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
