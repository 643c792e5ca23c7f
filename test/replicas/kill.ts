import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scenarios } from './faults.ts';
import { loadThrough, type Round } from './rounds.ts';

// What breaks while replicas are loaded, and what it loses: npm run long -- replicas --rounds 50 --only PostgreSQL
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    replicas: { type: 'string', default: '3' },
    connections: { type: 'string', default: '24' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
});
const sum = (rounds: readonly Round[], pick: (round: Round) => number): string =>
  rounds.reduce((total, round) => total + pick(round), 0).toLocaleString('en');

console.log(`seed ${values.seed}, ${values.replicas} replicas, ${values.connections} connections`);
console.log(`${'fault'.padEnd(56)} times  answered  unanswered   lost  wrong`);
for (const [name, scenario] of Object.entries(scenarios)) {
  if (values.only !== undefined && !name.startsWith(values.only)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'assize-replicas-'));
  const rounds: Round[] = [];
  try {
    await loadThrough(scenario, {
      folder,
      rounds: Number(values.rounds),
      replicas: Number(values.replicas),
      connections: Number(values.connections),
      seed: Number(values.seed),
      onRound(round) {
        rounds.push(round);
        if (scenario.mustLose) return;
        const { lost, wrong } = round;
        for (const sentence of [...lost.slice(0, 5), ...wrong.slice(0, 5)]) console.log(`  ${sentence}`);
      },
    });
    const hasLost = rounds.some(({ lost, wrong }) => lost.length + wrong.length > 0);
    if (hasLost !== (scenario.mustLose ?? false)) process.exitCode = 1;
  } finally {
    // Also when a round failed: those before it count.
    const cells = [
      String(rounds.length).padStart(5),
      sum(rounds, ({ answered }) => answered).padStart(9),
      sum(rounds, ({ unanswered }) => unanswered).padStart(11),
      sum(rounds, ({ lost }) => lost.length).padStart(6),
      sum(rounds, ({ wrong }) => wrong.length).padStart(6),
    ];
    console.log(`${name.padEnd(56)} ${cells.join(' ')}`);
    rmSync(folder, { recursive: true, force: true });
  }
}
