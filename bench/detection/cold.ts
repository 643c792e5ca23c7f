import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { documentation } from '../../src/detectors/kinds/documentation.ts';
import { isShort } from '../measure.ts';
import { mixed, TOOL_CALL } from './speed.ts';

/** The example of every kind: what the single binary is compiled by. */
const EXAMPLES = [...documentation.values()].map(({ found }) => found);
const PROCESSES = isShort ? 1 : 9;
const WARM_MS = isShort ? 1 : 1500;

/**
 * Reads the inputs in a process of its own, out of V8's compiled form of the code where there is one, as in the single binary; prints
 * milliseconds of processor time until a detector is there, and of each first and best scan. With `KEEP` it writes that form instead.
 */
const CODE = `
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
const { ENTRY, COMPILED, KEEP, INPUTS, WARM_MS } = process.env;
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const inputs = JSON.parse(INPUTS);
const begun = cpu();
const script = new Script('(function (module) {' + readFileSync(ENTRY, 'latin1') + '\\n})', COMPILED ? { cachedData: readFileSync(COMPILED) } : {});
if (script.cachedDataRejected) throw new Error('the compiled form was not taken');
const module = { exports: {} };
script.runInThisContext()(module);
const detector = module.exports.createDetector();
const made = cpu() - begun;
const timed = (input) => { const at = cpu(); detector.scan(input); return cpu() - at; };
const first = inputs.map(timed);
if (KEEP) writeFileSync(KEEP, script.createCachedData());
const best = inputs.map((input) => {
  const times = [];
  for (const until = performance.now() + Number(WARM_MS); performance.now() < until; ) {
    const at = cpu();
    let calls = 0;
    while (cpu() - at < 2) { detector.scan(input); calls++; }
    times.push((cpu() - at) / calls);
  }
  return times.sort((x, y) => x - y)[times.length >> 1] ?? Number.NaN;
});
console.log(JSON.stringify({ made, first, best }));
`;

interface Times {
  made: number;
  first: number[];
  best: number[];
}

const median = (values: readonly number[]): number =>
  values.toSorted((x, y) => x - y)[values.length >> 1] ?? Number.NaN;

/**
 * Prints what the first scans of a process cost, as the command line makes them, for each detector by its source: compiled by V8 then, and
 * out of the form that the single binary carries.
 */
export async function printCold(sources: ReadonlyMap<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cold-'));
  const inputs = [TOOL_CALL, mixed(8, 100_000)];
  console.log(
    '\ncold processes, ms of processor time: start, first call of 300 bytes, first 100 KB (share of warm speed, bar .5)',
  );
  try {
    const script = join(folder, 'run.mjs');
    writeFileSync(script, CODE);
    const run = (env: Record<string, string>): Times =>
      JSON.parse(
        execFileSync(process.execPath, [script], { env: { ...process.env, ...env }, encoding: 'utf8' }),
      ) as Times;
    for (const [name, source] of sources) {
      const outfile = join(folder, `${name}.cjs`);
      await build({
        entryPoints: [resolve(source)],
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node22',
        minifySyntax: true,
        outfile,
      });
      const compiled = `${outfile}.compiled`;
      const own = { ENTRY: outfile, INPUTS: JSON.stringify(inputs) };
      run({ ...own, INPUTS: JSON.stringify(EXAMPLES), KEEP: compiled, WARM_MS: '0' });
      const warm = run({ ...own, WARM_MS: String(WARM_MS) }).best;
      for (const [form, env] of [
        ['', own],
        ['compiled', { ...own, COMPILED: compiled }],
      ] as const) {
        const runs = Array.from({ length: PROCESSES }, () => run({ ...env, WARM_MS: '0' }));
        const [call = 0, large = 0] = inputs.map((_, k) => median(runs.map(({ first }) => first[k] ?? 0)));
        const cells = [median(runs.map(({ made }) => made)), call, large].map((ms) =>
          ms.toFixed(2).padStart(8),
        );
        const share = ((warm[1] ?? 0) / large).toFixed(2);
        console.log(`${name.padEnd(8)} ${form.padEnd(9)} ${cells.join(' ')}  (${share})`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
