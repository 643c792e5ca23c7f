import t from 'tap';
import { differential } from './fuzz/differential.ts';
import { mutation } from './fuzz/mutation.ts';

// A slice of what `node test/cel/fuzz/main.ts` does, the same each time; give it a seed of the day for other texts.

t.test('two other implementations agree, outside the declared differences', async (t) => {
  const { differences, compared, declared } = differential(2026, 2500);
  t.same(differences, []);
  t.ok(compared > 3000, `${compared} answers were compared`);
  const excused = Object.values(declared).reduce((total, times) => total + times, 0);
  t.ok(excused < compared / 20, `${excused} were excused`);
});

t.test('no damaged text makes it throw, misplace an issue or take 20 ms', async (t) => {
  const { findings, accepted } = mutation(2026, 2500);
  t.same(findings, []);
  t.ok(accepted > 150, `${accepted} were accepted and run`);
});
