import { AppError } from '../../errors.ts';
import type { RecordCut, SessionCursor } from '../../store/store.ts';

/** Where an export goes on. */
export type ExportCursor = {
  /** The roots of its beginning and its end; the first one is 0 for the whole record. */
  first: number;
  last: number;
  /** The number of the next line. */
  line: number;
  /** Of the session; null for all chains. */
  chain: string | null;
} & (
  | {
      phase: 'roots';
      /** The last root that was written, and the index of the next leaf. */
      root: number;
      leaf: number;
    }
  | { phase: 'entries'; cut: RecordCut }
  /** Places in the lists of resources, and what was written last. */
  | { phase: 'states'; resource: number; id: string }
  | { phase: 'versions'; resource: number; id: string; version: number }
  /** The last leaf that was written. */
  | { phase: 'leaves'; leaf: number }
  /** Entries up to this place are covered. */
  | { phase: 'session'; from: SessionCursor; until: number }
);

/** Comes before every id. */
export const firstId = '00000000-0000-0000-0000-000000000000';
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const writeCursor = (cursor: ExportCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

const members: Readonly<Record<ExportCursor['phase'], readonly string[]>> = {
  roots: ['first', 'last', 'line', 'root', 'leaf'],
  entries: ['first', 'last', 'line', 'cut.evaluation', 'cut.entry', 'cut.call'],
  states: ['first', 'last', 'line', 'resource'],
  versions: ['first', 'last', 'line', 'resource', 'version'],
  leaves: ['first', 'last', 'line', 'leaf'],
  session: ['first', 'last', 'line', 'from.evaluations', 'from.seq', 'until'],
};

/** Refuses a text that `writeCursor` did not write. */
export function readCursor(text: string): ExportCursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as ExportCursor;
    const numbers = members[cursor.phase].map((name) =>
      name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], cursor),
    );
    const isNamed = cursor.chain === null || typeof cursor.chain === 'string';
    const isId = !('id' in cursor) || isUuid.test(cursor.id);
    if (isNamed && isId && numbers.every((number) => Number.isSafeInteger(number))) return cursor;
  } catch {
    // Refused below.
  }
  throw new AppError('invalid', 'must be the `next` of an earlier page of the export', { path: '/cursor' });
}
