import { parseArgs } from 'node:util';
import { type Findings, soak } from './soak.ts';

// The worst day, rehearsed: npm run soak -- --minutes 60. Prints a table of what happened and what was found wrong.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const ends: (() => unknown)[] = [];
const lifetime = {
  teardown: (end: () => unknown) => void ends.push(end),
  comment: (text: string) => console.log(text),
};
const figure = (count: number) => count.toLocaleString('en');
const told = new Map<Findings, number>();

try {
  console.log(`seed ${values.seed}, ${values.minutes} minutes`);
  const { sqlite, use, postgres } = await soak(lifetime, {
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    // What is wrong is said when it is found: a long run may be interrupted.
    onTurn(findings) {
      for (const sentence of findings.wrong.slice(told.get(findings) ?? 0)) console.log(`wrong: ${sentence}`);
      told.set(findings, findings.wrong.length);
    },
  });
  for (const [name, { counts, wrong }] of Object.entries({ SQLite: sqlite, PostgreSQL: postgres })) {
    console.log(`\n| ${name} | |\n|---|---|`);
    for (const [what, times] of counts) console.log(`| ${what} | ${figure(times)} |`);
    if (name === 'SQLite') {
      const { memory, handles } = use;
      console.log(
        `| memory of one process over ${figure(memory.seconds)} s | ${memory.before} MB, then ${memory.after} MB |`,
      );
      console.log(
        `| handles of that process | ${handles.before}, then ${handles.after}: ${handles.new.join(', ')} |`,
      );
    }
    console.log(`| lost, doubled or miscounted | ${wrong.length} |`);
    for (const sentence of wrong) console.log(`wrong: ${sentence}`);
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  for (const end of ends.reverse()) await end();
}
