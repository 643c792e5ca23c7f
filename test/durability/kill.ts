import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killAndProve } from './kills.ts';

// Kills the loaded process again and again: npm run long -- kills --kills 200. It takes some 5 to 11 s for each, less with fewer
// `--responses` at most before a kill, and sums up what it has found when it is interrupted or its time is over, too.
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    connections: { type: 'string', default: '32' },
    responses: { type: 'string', default: '2400' },
    minutes: { type: 'string', default: '60' },
  },
});
const seed = Number(values.seed);
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
// No AbortSignal.timeout: one that nothing but AbortSignal.any refers to may be collected before its time is over.
const timer = setTimeout(() => interrupted.abort(), Number(values.minutes) * 60_000);
const beganAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'assize-kills-'));
try {
  const rounds = await killAndProve({
    folder,
    kills: Number(values.kills),
    seed,
    connections: Number(values.connections),
    mostResponses: Number(values.responses),
    signal: interrupted.signal,
    onRound({ kill, wrong }) {
      if (kill % 20 === 0) console.log(`${kill} kills`);
      for (const sentence of wrong) console.log(`kill ${kill}: ${sentence}`);
    },
  });
  const sum = (pick: (round: (typeof rounds)[number]) => number): string =>
    rounds.reduce((total, round) => total + pick(round), 0).toLocaleString('en');
  const wrong = rounds.flatMap((round) => round.wrong);
  console.log(
    `seed ${seed}: ${rounds.length} kills, ${sum((round) => round.answered)} answered changes, ` +
      `${sum((round) => round.unreachable)} cut off, ${wrong.length} found wrong, ` +
      `${((performance.now() - beganAt) / 60_000).toFixed(1)} minutes`,
  );
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  clearTimeout(timer);
  rmSync(folder, { recursive: true, force: true });
}
