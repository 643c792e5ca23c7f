import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem, Verification } from '../../record/verification/problems.ts';
import { createVerifier } from '../../record/verification/verify.ts';
import type { LocalCall } from '../api/call.ts';
import { Exit, exitCodes } from '../exit.ts';
import { printable } from '../io.ts';

interface VerifyOptions {
  trust?: string[];
  root?: string[];
}

export async function verifyRecord({ out, options, args }: LocalCall<VerifyOptions>): Promise<void> {
  const [file = ''] = args;
  if (file !== '-' && statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Exit(
      exitCodes.wrongUse,
      `${file} is a folder: name the export in it, ${join(file, 'record.ndjson')}`,
    );
  const verifier = createVerifier({ trustedKeys: options.trust ?? [], expectedRoots: options.root ?? [] });
  for await (const line of linesOf(file)) verifier.line(line);
  const verification = verifier.end();
  const { problems } = verification;
  if (out.json) out.record(verification, []);
  else {
    for (const problem of problems) out.text(`${printable(sentenceOf(problem))}\n`);
    out.text(`${summaryOf(verification)}\n`);
  }
  if (problems.length > 0) throw new Exit(exitCodes.failed);
}

function sentenceOf({ code, line, chain, seq, id, message }: Problem): string {
  const where = [line && `line ${line}`, chain, seq && `entry ${seq}`, id].filter(Boolean).join(', ');
  return `${code}${where && ` (${where})`}: ${message}`;
}

function summaryOf(verification: Verification): string {
  const {
    problems,
    entries,
    chains,
    roots,
    withoutContent,
    coveredUntil,
    keyIds,
    isKeyTrusted,
    versions,
    unnamedVersions,
  } = verification;
  return [
    `${entries} entries in ${chains} chains, ${withoutContent} of them without content; ${roots} roots, the last one of ${coveredUntil}`,
    `${versions} versions of policies and lists, ${unnamedVersions} of them without a digest in an entry`,
    isKeyTrusted
      ? 'every root was compared with the keys that you trust'
      : `signed with ${keyIds.join(', ')}: no key was named (--trust), so the signatures say nothing of who made them`,
    problems.length === 0 ? 'the record is whole' : counted(problems.length),
  ].join('\n');
}

const counted = (problems: number): string => `${problems} ${problems === 1 ? 'problem' : 'problems'}`;

/** Line feeds alone end a line: a text may hold the other separators of Unicode. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = file === '-' ? process.stdin.setEncoding('utf8') : createReadStream(file, 'utf8');
  let rest = '';
  for await (const part of stream) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() as string;
    yield* lines;
  }
  if (rest !== '') yield rest;
}
