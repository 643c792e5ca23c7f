import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Http } from '../../client/http.ts';
import { shipped } from '../../files.ts';
import type { EntryLine, ExportLine } from '../../record/export-lines.ts';
import type { Verification } from '../../record/verification/problems.ts';
import { createVerifier } from '../../record/verification/verify.ts';
import type { RecordExportPage, RecordKey } from '../../schemas/record.ts';
import type { Call } from '../api/call.ts';
import type { Column } from '../output.ts';

/** Rows of a table at most: the export has all of them. */
const mostRows = 5_000;

export interface Report {
  add(line: ExportLine): void;
  html(verification: Verification): string;
}

type Entry = Readonly<Record<string, unknown>>;
type Cells = readonly unknown[];

/** A page for people: totals, what was stopped or held and by which rules, and what people decided and changed. */
function createReport(): Report {
  const outcomes = new Map<string, number>();
  const rules = new Map<string, { cells: Cells; count: number }>();
  const stopped: Cells[] = [];
  const reviews: Cells[] = [];
  const calls: Cells[] = [];
  let scope = '';
  let lastRoot = '';
  let evaluations = 0;

  function addEvaluation(entry: Entry): void {
    evaluations++;
    const action = String(entry.enforcementAction);
    outcomes.set(action, (outcomes.get(action) ?? 0) + 1);
    const violations = Array.isArray(entry.violations) ? (entry.violations as Entry[]) : [];
    for (const { policyName, policyVersion, ruleId, severity } of violations) {
      const cells = [policyName, policyVersion, ruleId, severity];
      const name = JSON.stringify(cells);
      const known = rules.get(name) ?? { cells, count: 0 };
      rules.set(name, { cells, count: known.count + 1 });
    }
    if (action === 'ALLOW' || stopped.length >= mostRows) return;
    const why = violations.map(({ ruleId, message }) => `${ruleId}: ${message}`).join('; ');
    stopped.push([entry.at, entry.chain, entry.seq, entry.tool, action, entry.severity, why]);
  }

  function addEntry({ entry }: EntryLine): void {
    if (entry.kind === 'evaluation') addEvaluation(entry);
    else if (entry.kind === 'review' && reviews.length < mostRows) {
      reviews.push([entry.at, entry.chain, entry.evaluationId, entry.status, entry.decidedBy, entry.comment]);
    } else if (entry.kind === 'management' && entry.method !== 'GET' && calls.length < mostRows) {
      calls.push([entry.at, entry.actorName, entry.action, entry.resourceId, entry.outcome, entry.address]);
    }
  }

  return {
    add(line) {
      if (line.kind === 'entry') addEntry(line);
      else if (line.kind === 'root') lastRoot = line.statement.at;
      else if (line.kind === 'export') {
        const { chain, from, to, madeAt } = line;
        const period = [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
        scope = `${chain ?? (period || 'the whole record')}, exported at ${madeAt}`;
      }
    },

    html({ problems, entries, chains, roots, withoutContent, keyIds }) {
      const found = problems.map(({ code, chain, seq, id, message }) => [code, chain, seq, id, message]);
      return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Record of Assize</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 2rem; font-size: 13px; }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
</style>
<h1>Record of Assize</h1>
<p>${text(scope)}. Covered by signed roots until ${text(lastRoot)}.</p>
<p>${entries} entries in ${chains} chains, ${withoutContent} of them without content (deleted, as retention is set, or
never kept); ${roots} signed roots; keys: ${text(keyIds.join(', '))}.</p>
<p><strong>${problems.length === 0 ? 'Verified when it was made: nothing is changed, missing or out of order.' : `${problems.length} problems were found when it was made.`}</strong>
Verify it again: <code>node verify-record.mjs record.ndjson --key KEY-ID</code></p>
${table('Problems', ['Problem', 'Chain', 'Entry', 'Id', 'What'], found)}
${table('Decisions', ['Action', 'Evaluations'], [...outcomes, ['all', evaluations]])}
${table(
  'Rules that matched',
  ['Policy', 'Version', 'Rule', 'Severity', 'Evaluations'],
  [...rules.values()].map(({ cells, count }) => [...cells, count]),
)}
${table('What people decided', ['At', 'Chain', 'Evaluation', 'Decision', 'By', 'Comment'], reviews)}
${table('What was changed', ['At', 'By', 'Call', 'Resource', 'Outcome', 'From'], calls)}
${table('What was warned of, held or blocked', ['At', 'Chain', 'Entry', 'Tool', 'Action', 'Severity', 'Why'], stopped)}
</html>
`;
    },
  };
}

function table(title: string, heads: readonly string[], rows: readonly Cells[]): string {
  if (rows.length === 0) return '';
  const cells = (tag: string, row: Cells): string =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`;
  const note = rows.length >= mostRows ? `<p>The first ${mostRows}; all are in record.ndjson.</p>` : '';
  const body = rows.map((row) => cells('td', row)).join('\n');
  return `<h2>${text(title)}</h2>${note}<table>${cells('th', heads)}\n${body}</table>`;
}

/** The page shows texts that agents sent: none of them may be read as markup. */
const text = (value: unknown): string =>
  String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export interface WrittenPackage {
  folder: string;
  entries: number;
  problems: number;
  keyIds: string[];
}

/** Writes a folder that an auditor needs nothing else for: the export, a report to read, a verifier, and how to use it. */
async function writePackage(folder: string, lines: AsyncIterable<string>): Promise<WrittenPackage> {
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
