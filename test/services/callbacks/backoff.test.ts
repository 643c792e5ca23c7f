import t from 'tap';
import { attemptLimit, nextAttemptDelayMs } from '../../../src/services/callbacks/deliveries.ts';

const middle = () => 0.5;
const minute = 60_000;
const expected = [0, 5_000, 30_000, 2 * minute, 10 * minute, 60 * minute, 360 * minute, 720 * minute];

t.test('waits longer before each attempt, and gives up after the eighth', async (t) => {
  t.same(
    expected.map((_, attempt) => nextAttemptDelayMs(attempt, middle)),
    expected,
  );
  t.equal(attemptLimit, 8);
  t.equal(nextAttemptDelayMs(8, middle), null);
  t.equal(nextAttemptDelayMs(9, middle), null);
});

t.test('keeps every wait within a fifth of its number', async (t) => {
  for (const [attempt, delayMs] of expected.entries()) {
    t.equal(
      nextAttemptDelayMs(attempt, () => 0),
      delayMs * 0.8,
    );
    t.equal(
      nextAttemptDelayMs(attempt, () => 1),
      delayMs * 1.2,
    );
  }
});

t.test('refuses a count that is none', async (t) => {
  for (const attempt of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => nextAttemptDelayMs(attempt, middle), RangeError, String(attempt));
  }
});
