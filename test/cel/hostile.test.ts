import t from 'tap';
import { hostileCases, runHostile } from './hostile/cases.ts';

// Twice what the bench promises, because a test machine does other things too; see bench/cel-hostile.ts.
const SLOWEST_MS = 200;
const LARGEST_MB = 64;

t.test('a hostile policy or input ends in bounded time and memory, as a value', async (t) => {
  for (const hostile of hostileCases()) {
    const { runMs, checkMs, heapMb, outcome } = runHostile(hostile);
    t.ok(runMs < SLOWEST_MS, `${hostile.name}: ${runMs.toFixed(1)} ms, ${outcome}`);
    t.ok(checkMs < SLOWEST_MS, `${hostile.name}: checked in ${checkMs.toFixed(1)} ms`);
    t.ok(heapMb < LARGEST_MB, `${hostile.name}: ${heapMb.toFixed(1)} MB`);
  }
});

t.test('hostile programs spend the budget or are refused, none runs through', async (t) => {
  const through = hostileCases()
    .map((hostile) => ({ name: hostile.name, outcome: runHostile(hostile).outcome }))
    .filter(({ outcome }) => !/^(budget_spent|refused: |too_deep|index_out_of_range)/.test(outcome));
  t.same(
    through.map(({ name }) => name),
    [
      'time zones made up',
      'many real time zones',
      'a regex with states that explode',
      'a large regex with states that explode',
    ],
    'these are within the budget',
  );
});
