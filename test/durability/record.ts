import { createVerifier } from '../../src/record/verification/verify.ts';
import type { RecordExportPage } from '../../src/schemas/record.ts';
import { operatorKey, request } from './process.ts';

/** Sentences about what is wrong in the record of a running service; none when every chain is whole and covered. */
export async function proveRecord(url: string): Promise<string[]> {
  const verifier = createVerifier();
  let next: string | null = null;
  do {
    const query: string = next === null ? '' : `?${new URLSearchParams({ cursor: next })}`;
    const response = await request(`${url}/v1/record/export${query}`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    });
    if (!response.ok) return [`the record is not exported: ${await response.text()}`];
    const { data } = (await response.json()) as { data: RecordExportPage };
    for (const line of data.lines) verifier.line(line);
    next = data.next;
  } while (next !== null);
  const { problems, entries } = verifier.end();
  if (entries === 0) return ['the record has no entry'];
  return problems.map(({ code, chain, seq, message }) => `${code} ${chain} ${seq}: ${message}`);
}
