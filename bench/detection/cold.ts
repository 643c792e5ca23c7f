import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { isShort } from '../measure.ts';
import { mixed, TOOL_CALL } from './speed.ts';

const PROCESSES = isShort ? 1 : 9;
const WARM_MS = isShort ? 1 : 1500;

/** Reads the inputs in a process of its own; prints milliseconds of processor time until a detector is there, and of each first and best scan. */
const CODE = `
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const inputs = JSON.parse(process.env.INPUTS);
const begun = cpu();
const { createDetector } = await import(process.env.ENTRY);
const detector = createDetector();
const made = cpu() - begun;
const timed = (input) => { const at = cpu(); detector.scan(input); return cpu() - at; };
const first = inputs.map(timed);
const best = inputs.map((input) => {
  const times = [];
  for (const until = performance.now() + Number(process.env.WARM_MS); performance.now() < until; ) {
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

/** Prints what the first scans of a process cost, as hooks and the command line make them, for each detector by its source. */
export async function printCold(sources: ReadonlyMap<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cold-'));
  const inputs = [TOOL_CALL, mixed(8, 100_000)];
  console.log(
    '\ncold processes, ms of processor time: start, first call of 300 bytes, first 100 KB (share of warm speed, bar .5)',
  );
  try {
    for (const [name, source] of sources) {
      const outfile = join(folder, `${name}.mjs`);
      await build({
        entryPoints: [resolve(source)],
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node22',
        minifySyntax: true,
        outfile,
      });
      const script = join(folder, 'run.mjs');
      writeFileSync(script, CODE);
      const env = {
        ...process.env,
        ENTRY: outfile,
        INPUTS: JSON.stringify(inputs),
        WARM_MS: String(WARM_MS),
      };
      const runs = Array.from(
        { length: PROCESSES },
        (_, k) =>
          JSON.parse(
            execFileSync(process.execPath, [script], {
              env: { ...env, WARM_MS: k === 0 ? env.WARM_MS : '0' },
              encoding: 'utf8',
            }),
          ) as Times,
      );
      const warm = runs[0]?.best ?? [];
      const [call = 0, large = 0] = inputs.map((_, k) => median(runs.map(({ first }) => first[k] ?? 0)));
      const cells = [median(runs.map(({ made }) => made)), call, large].map((ms) =>
        ms.toFixed(2).padStart(8),
      );
      console.log(`${name.padEnd(8)} ${cells.join(' ')}  (${((warm[1] ?? 0) / large).toFixed(2)})`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
