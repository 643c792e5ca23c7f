/** Members that hold a statement of SQL, and the values that are bound to its placeholders. */
const STATEMENTS = ['sql', 'query', 'statement', 'text'];
const MAX_STATEMENT = 4096;
/** A column and the placeholder it is set to or compared with: `password = ?`, `u.ssn=$2`, `email LIKE %s`. */
const PLACEHOLDER =
  /([\w.]{1,64})["`\])]?\s*(?:=|<>|!=|LIKE|ILIKE)\s*(?:\w+\()?(?:\?|\$(\d{1,3})|%s)|\?|\$(\d{1,3})\b|%s/gi;
/** The columns of an INSERT and the placeholders of its first row. */
const INSERT = /\binsert\s+into\s+[\w."`[\]]+\s*\(([^()]{1,2000})\)\s*values\s*\(([^;]{1,2000})/i;

/**
 * The columns that the values of an array are bound to, by the statement beside it: `{"sql": "UPDATE u SET password = ?",
 * "params": ["…"]}`; null when there is none. Columns that nothing names are empty.
 */
export function boundColumns(object: Readonly<Record<string, unknown>>): readonly string[] | null {
  for (const member of STATEMENTS) {
    const statement = object[member];
    if (typeof statement !== 'string' || statement.length > MAX_STATEMENT) continue;
    if (!/\?|\$\d|%s/.test(statement)) continue;
    const columns = insertedColumns(statement) ?? comparedColumns(statement);
    if (columns.some((column) => column !== '')) return columns;
  }
  return null;
}

function insertedColumns(statement: string): string[] | null {
  const match = INSERT.exec(statement);
  if (match === null) return null;
  const [, names = '', values = ''] = match;
  const columns: string[] = [];
  const heads = names.split(',').map((name) => name.replace(/["`[\]\s]/g, ''));
  values.split(',').forEach((value, k) => {
    const number = /\$(\d+)/.exec(value)?.[1];
    if (number !== undefined) columns[Number(number) - 1] ||= heads[k] ?? '';
    else if (/\?|%s/.test(value)) columns.push(heads[k] ?? '');
  });
  return Array.from(columns, (column) => column ?? '');
}

function comparedColumns(statement: string): string[] {
  const columns: string[] = [];
  for (const [, name, numbered, alone] of statement.matchAll(PLACEHOLDER)) {
    const number = numbered ?? alone;
    const column = name === undefined ? '' : name.slice(name.lastIndexOf('.') + 1);
    if (number === undefined) columns.push(column);
    else columns[Number(number) - 1] ||= column;
  }
  return Array.from(columns, (column) => column ?? '');
}
