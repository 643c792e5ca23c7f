import type { Http } from '../../client/http.ts';
import type { RecordExportPage, RecordKey } from '../../schemas/record.ts';
import type { Call } from '../api/call.ts';
import type { Column } from '../output/table.ts';
import { writePackage } from './package.ts';

interface ExportOptions {
  session?: string;
  from?: string;
  to?: string;
  package?: string;
}

/** Page by page, so that neither side holds more than one. */
async function* linesOf(http: Http, { session: sessionId, from, to }: ExportOptions): AsyncGenerator<string> {
  let query: Record<string, string | undefined> = { sessionId, from, to };
  for (;;) {
    const { data } = await http.send<RecordExportPage>({ method: 'GET', path: '/v1/record/export', query });
    yield* data.lines;
    if (data.next === null) return;
    query = { cursor: data.next };
  }
}

export async function exportRecord({ http, out, options }: Call<ExportOptions>): Promise<void> {
  const lines = linesOf(http, options);
  if (options.package !== undefined) {
    const written = await writePackage(options.package, lines);
    out.record(written, [
      { title: 'PACKAGE', of: ({ folder }) => folder },
      { title: 'ENTRIES', of: ({ entries }) => entries },
      { title: 'PROBLEMS', of: ({ problems }) => problems },
      { title: 'KEY', of: ({ keyIds }) => keyIds.join(', ') },
    ]);
    return;
  }
  for await (const line of lines) {
    out.text(`${line}\n`);
    if (out.unread()) return;
  }
}

const keyFields: Column<RecordKey>[] = [
  { title: 'KEY ID', of: ({ keyId }) => keyId },
  { title: 'PUBLIC KEY', of: ({ publicKey }) => publicKey },
];

export async function showKey({ http, out }: Call): Promise<void> {
  const { data } = await http.send<RecordKey>({ method: 'GET', path: '/v1/record/key' });
  out.record(data, keyFields);
}
