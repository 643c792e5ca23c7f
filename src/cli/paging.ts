import type { Option } from 'commander';
import type { Http } from '../client/http.ts';
import { createNames, type NamedFields } from './api/names.ts';
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

/** Asks for one page of a list and prints it. `names`: fields whose ids are shown as names. */
export async function printPage<T extends object>(
  { http, out }: { http: Http; out: Output },
  request: { path: string; query: Record<string, string | number | undefined> },
  {
    columns,
    none,
    names = {},
  }: { columns: readonly Column<T>[]; none: string; names?: NamedFields | undefined },
): Promise<void> {
  const { data, pagination } = await http.send<T[]>({ method: 'GET', ...request });
  const { withNames } = createNames(http);
  out.list(out.json ? data : await Promise.all(data.map((item) => withNames(item, names))), columns, none);
  if (pagination && pagination.page * pagination.size < pagination.total) {
    out.note(`${data.length} of ${pagination.total}: --page ${pagination.page + 1} shows the next`);
  }
}
