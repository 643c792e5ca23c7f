import { parseArgs } from 'node:util';
import { differential } from './differential.ts';
import { mutation } from './mutation.ts';

// Long runs on demand: node test/cel/fuzz/main.ts --count 200000 --seed 7. Ends with 1 when there is anything to report.
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
const count = Number(values.count ?? 200_000);
const seed = Number(values.seed ?? 1);

const compared = differential(seed, count);
console.log(`differential: ${compared.evaluations} expressions, ${compared.compared} answers compared`);
for (const [why, times] of Object.entries(compared.declared))
  console.log(`  declared, ${times} times: ${why}`);
for (const { oracle, source, ours, theirs } of compared.differences.slice(0, 50)) {
  console.log(`  ${source}\n    ours ${ours}\n    ${oracle} ${theirs}`);
}
console.log(`  ${compared.differences.length} other differences`);

const mutated = mutation(seed, count);
console.log(
  `mutation: ${mutated.sources} texts, ${mutated.accepted} accepted, slowest ${mutated.slowestMs.toFixed(1)} ms`,
);
for (const { source, what } of mutated.findings.slice(0, 50))
  console.log(`  ${JSON.stringify(source)}: ${what}`);
console.log(`  ${mutated.findings.length} findings`);
process.exitCode = compared.differences.length + mutated.findings.length === 0 ? 0 : 1;
