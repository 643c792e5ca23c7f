import type { Random } from './random.ts';

/** Numbers of an ordinary size, which no kind of data is made of. */
const cell = (r: Random): string => String(r.int(0, 10 ** r.int(1, 4) - 1));
const rows = (r: Random, make: (r: Random) => string): string[][] => {
  const columns = r.int(3, 12);
  return Array.from({ length: r.int(5, 25) }, () => Array.from({ length: columns }, () => make(r)));
};

/** How tables of numbers are written; the first ones have a fixed number of digits in each cell. */
export const TABLES: readonly ((r: Random) => unknown)[] = [
  ...[1, 2, 3, 4].map((size) => (r: Random) => {
    const digits = (): string => r.digits(size);
    return rows(r, digits)
      .map((row) => row.join(' '))
      .join('\n');
  }),
  (r) =>
    rows(r, cell)
      .map((row) => row.join(','))
      .join('\n'),
  (r) =>
    rows(r, cell)
      .map((row) => row.join('\t'))
      .join('\n'),
  (r) =>
    rows(r, cell)
      .map((row) => row.map((value) => value.padStart(6)).join(''))
      .join('\n'),
  (r) =>
    rows(r, cell)
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n'),
  (r) => ({ rows: rows(r, cell).map((row) => row.map(Number)) }),
  (r) => ({ matrix: rows(r, (one) => one.digits(1)).map((row) => row.map(Number)) }),
  (r) => ({ values: Array.from({ length: 300 }, () => r.int(0, 9)) }),
  (r) =>
    `[${rows(r, cell)
      .map((row) => `[${row.join(', ')}]`)
      .join(',\n ')}]`,
  (r) =>
    rows(r, (one) => (one.next() * 100).toFixed(2))
      .map((row) => row.join(' '))
      .join('\n'),
  (r) =>
    rows(r, (one) => `-${one.int(0, 999)}`)
      .map((row) => row.join(' '))
      .join('\n'),
  (r) => `week ${Array.from({ length: 52 }, (_, i) => `${i + 1}: ${r.int(1, 99)}`).join(' ')}`,
  (r) => `totals: ${Array.from({ length: 40 }, () => r.int(100, 999)).join('-')}`,
];

/** Where calls and logs have numbers of 16 and 19 digits that count or name something. */
export const BARE_IDS: readonly ((r: Random, digits: string) => unknown)[] = [
  (_, id) => ({ id }),
  (_, id) => ({ id: Number(id) }),
  (_, id) => ({ user: { id_str: id }, text: 'hello' }),
  (_, id) => ({ trace_id: id, span_id: id.slice(3) }),
  (_, id) => ({ items: [{ id, name: 'lamp' }] }),
  (_, id) => ({ url: `https://example.com/posts/${id}/comments` }),
  (_, id) => ({ number: id, status: 'open' }),
  (_, id) => ({ key: id, value: 'x' }),
  (_, id) => ({ order: id, total: 12 }),
  (_, id) => ({ card_id: id, list: 'Doing' }),
  (_, id) =>
    `081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_${id} terminating`,
  (_, id) => `request ${id} done in 12 ms`,
  (_, id) => `{"level":30,"trace_id":"${id}","msg":"ok"}`,
  (_, id) => `- ${id}\n- ${id.split('').reverse().join('')}\n`,
  (r, id) => `${id},${r.int(1, 99)},shipped\n`,
  (_, id) => `see https://x.com/jack/status/${id}?s=20`,
];
