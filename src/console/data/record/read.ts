import type { RecordExportPage } from '../../../schemas/record.ts';
import { call } from '../api.ts';
import { createVerifier, type Verification } from './verify.ts';

/** Characters of an export that are kept to be saved: a longer one is checked, and not kept. */
const mostKept = 64 * 1024 * 1024;

export interface ReadRecord {
  verification: Verification;
  /** The export, to be saved; null when it is too long for a browser. */
  file: Blob | null;
}

interface ReadOptions {
  query: { sessionId?: string; from?: string; to?: string };
  signal: AbortSignal;
  onLines: (lines: number) => void;
}

/** Reads an export page by page, and checks each line of it. */
export async function readRecord({ query, signal, onLines }: ReadOptions): Promise<ReadRecord> {
  const verifier = createVerifier();
  const kept: string[] = [];
  let characters = 0;
  let lines = 0;
  let next: string | null = null;
  do {
    const asked: Record<string, string> = next === null ? query : { cursor: next };
    const { data } = await call<RecordExportPage>('/v1/record/export', { query: asked, signal });
    for (const line of data.lines) {
      signal.throwIfAborted();
      await verifier.line(line);
      characters += line.length;
      if (characters <= mostKept) kept.push(`${line}\n`);
    }
    lines += data.lines.length;
    onLines(lines);
    next = data.next;
  } while (next !== null);
  const file = characters <= mostKept ? new Blob(kept, { type: 'application/x-ndjson' }) : null;
  return { verification: verifier.end(), file };
}
