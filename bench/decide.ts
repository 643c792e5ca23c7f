// What one decision costs, the detectors and the store left out: npm run bench -- decide
import { readdirSync, readFileSync } from 'node:fs';
import { wholeCheck } from '../src/features/policies/check-job.ts';
import { type CompiledPolicy, compilePolicy } from '../src/policy/compile-policy.ts';
import { decide } from '../src/policy/decide.ts';
import { checkPolicyDocument } from '../src/policy/document/check-policy-document.ts';
import { testSubject } from '../src/policy/document/test-subject.ts';
import { isShort } from './measure.ts';

const folder = new URL('../policies/', import.meta.url);
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

function compiled(source: string): CompiledPolicy {
  const { document, issues } = checkPolicyDocument(source, { ...wholeCheck, runTests: false });
  if (!document) throw new Error(JSON.stringify(issues));
  return compilePolicy(document, { policyId: document.name, policyVersion: 1 });
}

const starter = sources.map(compiled);
const conditions = [
  (n: number) => `session.actionCount > params.max + ${n}`,
  (n: number) => `tool == "t${n}" && "PII" in session.dataTags`,
  (n: number) => `session.toolCounts[?"t${n}"].orValue(0) >= 10`,
  (n: number) => `"CREDENTIALS" in dataTags && tool in ["a", "b${n}"]`,
];
const hundred = JSON.stringify({
  schemaVersion: 1,
  name: 'hundred',
  params: { max: 50 },
  rules: Array.from({ length: 100 }, (_, n) => ({
    id: `r${n}`,
    when: conditions[n % conditions.length]?.(n),
    effect: 'WARN',
  })),
});

const session = {
  id: 's',
  actionCount: 12,
  dataTags: ['PII', 'EMAIL_ADDRESS'],
  toolCounts: { 'web.search': 3, 'crm.lookup': 2 },
  warningCount: 1,
};
const quiet = testSubject({ tool: 'crm.read', input: { q: 'x' }, session }, []);
const found = testSubject({ tool: 'email.send', dataTags: ['PII', 'EMAIL_ADDRESS'], session }, []);

/** The best of five runs: the machine is shared, and what it adds is not the engine's. */
function time(name: string, most: number, work: () => unknown): void {
  const times = isShort ? 1 : most;
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run++) {
    const started = process.hrtime.bigint();
    for (let n = 0; n < times; n++) work();
    best = Math.min(best, Number(process.hrtime.bigint() - started) / times);
  }
  console.log(`${name.padEnd(48)} ${(best / 1_000).toFixed(2).padStart(8)} µs`);
}

time('decide: starter policies, no finding', 100_000, () => decide(starter, quiet));
time('decide: starter policies, 2 findings', 50_000, () => decide(starter, found));
const many = [compiled(hundred)];
time('decide: 100 rules, no finding', 20_000, () => decide(many, quiet));
time('check a document of 100 rules', 20, () => checkPolicyDocument(hundred));
time('check a starter policy with its tests', 100, () =>
  checkPolicyDocument(sources[0] as string, wholeCheck),
);
