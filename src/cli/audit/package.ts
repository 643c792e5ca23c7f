import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { shipped } from '../../files.ts';
import type { ExportLine } from '../../record/export-lines.ts';
import { createVerifier } from '../../record/verification/verify.ts';
import { createReport } from './report.ts';

export interface WrittenPackage {
  folder: string;
  entries: number;
  problems: number;
  keyIds: string[];
}

/** Writes a folder that an auditor needs nothing else for: the export, a report to read, a verifier, and how to use it. */
export async function writePackage(folder: string, lines: AsyncIterable<string>): Promise<WrittenPackage> {
  mkdirSync(folder, { recursive: true });
  const verifier = createVerifier();
  const report = createReport();
  // A file that is there is left alone: it may be evidence.
  const file = await open(join(folder, 'record.ndjson'), 'wx');
  try {
    for await (const line of lines) {
      verifier.line(line);
      report.add(JSON.parse(line) as ExportLine);
      await file.write(`${line}\n`);
    }
  } finally {
    await file.close();
  }
  const verification = verifier.end();
  writeFileSync(join(folder, 'report.html'), report.html(verification));
  copyFileSync(shipped('clients/verifier/verify-record.mjs'), join(folder, 'verify-record.mjs'));
  writeFileSync(join(folder, 'README.txt'), readme(verification.keyIds));
  const { entries, problems, keyIds } = verification;
  return { folder, entries, problems: problems.length, keyIds };
}

const readme = (keyIds: readonly string[]): string => `Evidence package of the record of Assize

record.ndjson       the record: one JSON object a line
report.html         the same to read: what was decided, by which rules and by whom
verify-record.mjs   verifies record.ndjson with Node 18 or newer, and nothing else; it can be read in a few minutes

  node verify-record.mjs record.ndjson --key KEY-ID

Signed with: ${keyIds.join(', ')}

Ask the operator for the id of the key by another way than this package, such as its website or a letter: whoever changed the
record could have signed it with a key of their own, and have put that here.
`;
