import { type Column, type Placeholder, type SQL, sql } from 'drizzle-orm';

type Text = Column | SQL;
type Bytes = number | Placeholder | SQL;

/** The text when it has at most so many bytes. Both databases find the length without reading the text. */
export const narrow = <T>(text: Text, mostBytes: Bytes): SQL<T | null> =>
  sql<T | null>`CASE WHEN octet_length(${text}) <= ${mostBytes} THEN ${text} END`;

/** The names of the texts that `narrow` leaves out, separated by commas. */
export function tooWide(texts: Readonly<Record<string, Text>>, mostBytes: Bytes): SQL<string> {
  const names = Object.entries(texts).map(
    ([name, text]) => sql`CASE WHEN octet_length(${text}) > ${mostBytes} THEN ${sql.raw(`'${name}'`)} END`,
  );
  return sql<string>`concat_ws(',', ${sql.join(names, sql`, `)})`;
}

export const namesIn = (text: string): string[] => (text === '' ? [] : text.split(','));
