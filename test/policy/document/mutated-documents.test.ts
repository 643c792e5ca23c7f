import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { wholeCheck } from '../../../src/features/policies/check-job.ts';
import { compilePolicy } from '../../../src/policy/compile-policy.ts';
import { decide } from '../../../src/policy/decide.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { testSubject } from '../../../src/policy/document/test-subject.ts';
import { Random } from '../../cel/fuzz/random.ts';

const folder = new URL('../../../policies/', import.meta.url);
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const pieces = [
  // biome-ignore format: short texts read better in rows
  ...[
    '{', '}', '[', ']', ':', '\n', '\n  ', '- ', '|', '>', '"', "'", '#', '&a ', '*a', '!!str ', '? ', '%',
    '\t',
  ],
  // biome-ignore format: short texts read better in rows
  ...[
    '{{', '}}', '(', ')', '&&', '.', '?', '0', '-1', '1e999', 'null', 'true', '__proto__', 'constructor',
    '\u0000',
  ],
  ...['\uD800', '\u{1F600}', '\r', '---', 'vars.', 'session.', 'escalate: 1', 'x'.repeat(300)],
];

/** The fuzzer has the check among its readers, and gives it more: npm run fuzz. */
const rounds = 300;

function mutate(source: string, random: Random): string {
  let text = source;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(text.length + 1);
    const length = random.below(3) === 0 ? random.below(40) : 0;
    const piece =
      random.below(4) === 0
        ? text.slice(random.below(text.length), random.below(text.length))
        : random.pick(pieces);
    text = text.slice(0, at) + piece + text.slice(at + length);
  }
  return text;
}

t.test('no text makes the check throw, every issue has a place, and what is valid decides', async (t) => {
  const random = new Random(20_261_120);
  const lines = new Set<boolean>();
  let valid = 0;
  for (let round = 0; round < rounds; round++) {
    const source = mutate(random.pick(sources), random);
    const rows = source.split('\n');
    const check = checkPolicyDocument(source, wholeCheck);
    for (const { line, column, message } of [...check.issues, ...check.warnings]) {
      const row = rows[line - 1];
      lines.add(row !== undefined && column >= 1 && column <= row.length + 1 && message !== '');
    }
    if (check.valid !== (check.issues.length === 0)) t.fail(`valid in spite of issues: ${source}`);
    if (!check.document) continue;
    valid++;
    const policy = compilePolicy(check.document, { policyId: 'p', policyVersion: 1 });
    decide([policy], testSubject({ tool: 'email.send', session: { actionCount: 99 } }, []));
  }
  t.strictSame([...lines], [true], 'lines and columns lie in the text');
  t.ok(valid > rounds / 30 && valid < rounds * 0.9, 'some mutations are harmless, most are not');
});
