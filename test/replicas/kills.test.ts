import t, { type Test } from 'tap';
import { temporaryFolder } from '../helpers/app.ts';
import { scenarios } from './faults.ts';
import { loadThrough } from './rounds.ts';

// All kinds, as often as you like: npm run long -- replicas
async function twice(t: Test, name: string) {
  const scenario = scenarios[name];
  if (!scenario) throw new Error(`there is no scenario ${name}`);
  const rounds = await loadThrough(scenario, {
    folder: temporaryFolder(t),
    rounds: 2,
    replicas: 2,
    seed: 20_301_122,
  });
  for (const { answered } of rounds) t.ok(answered > 0, 'under load');
  return rounds;
}

t.test(
  'replicas go on when PostgreSQL is killed and starts again, and nothing that was answered is lost',
  async (t) => {
    for (const { lost, wrong } of await twice(t, 'PostgreSQL is killed')) {
      t.strictSame(lost, []);
      t.strictSame(wrong, []);
    }
  },
);

t.test('control: with synchronous_commit=off, it is lost', async (t) => {
  const rounds = await twice(t, 'control: synchronous_commit=off, PostgreSQL is killed');
  t.ok(rounds.some(({ lost }) => lost.length > 0));
});
