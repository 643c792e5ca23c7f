import { parseArgs } from 'node:util';
import { caseOf } from './cases.ts';
import { entryPoints } from './entry-points.ts';
import { fuzz } from './run.ts';

// npm run fuzz -- --cases 1000000 --seed 7. With --only, the entry points whose names hold that text; with --case too, that case
// alone, in this process. Ends with 1 when there is anything to report.
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    case: { type: 'string' },
  },
});
const seed = Number(values.seed);
const points = entryPoints.filter(({ name }) => name.includes(values.only));
console.log(`seed ${seed}`);
if (values.case !== undefined) {
  for (const point of points) {
    const { text, bytes } = caseOf(point, point.documents(), { seed, number: Number(values.case) });
    console.log(`${point.name}: ${JSON.stringify(point.bytes ? bytes.toString('latin1') : text)}`);
    const start = performance.now();
    await point.run(text, bytes);
    console.log(`  ${(performance.now() - start).toFixed(1)} ms`);
  }
} else {
  let [cases, findings] = [0, 0];
  const options = { seed, cases: Number(values.cases), limitMs: 50, hangMs: 10_000 };
  for await (const report of fuzz(options, points)) {
    const { entryPoint, slowest } = report;
    console.log(
      `${entryPoint}: ${report.cases} cases, slowest ${slowest.ms.toFixed(1)} ms (case ${slowest.number}), ${report.findings.length} findings`,
    );
    for (const { number, what, text } of report.findings.slice(0, 20))
      console.log(`  case ${number} ${what}\n    ${JSON.stringify(text.slice(0, 2_000))}`);
    cases += report.cases;
    findings += report.findings.length;
  }
  console.log(`${cases} cases, ${findings} findings`);
  process.exitCode = findings === 0 ? 0 : 1;
}
