import t from 'tap';
import { AdmissionLimit, type LoopActivity } from '../../../src/http/plugins/admission.ts';

/** A limit whose event loop is told what it did. */
function limitOf(maximum: number) {
  const activity: LoopActivity = { activeMs: 100, utilization: 1 };
  const limit = new AdmissionLimit(maximum, () => activity);
  return {
    activity,
    /** 100 ms in which so many were finished and at most so many were in flight at once. */
    pass({ finished, peak, refused = false }: { finished: number; peak: number; refused?: boolean }) {
      limit.admitted(peak);
      for (let count = 0; count < finished; count++) limit.finished();
      if (refused) limit.refused();
      limit.sample();
      return limit.size;
    },
  };
}
const times = <T>(count: number, one: () => T) => Array.from({ length: count }, one);

t.test('under lasting overload the limit is 12 ms of work', async (t) => {
  const { pass } = limitOf(256);
  const overloaded = () => pass({ finished: 800, peak: 256 });
  t.strictSame(times(4, overloaded), [256, 256, 256, 256], 'a burst has the whole limit');
  t.equal(overloaded(), 96, '12 ms at 8 requests a millisecond');
  t.equal(
    pass({ finished: 700, peak: 96, refused: true }),
    84,
    'the overload lasts while any request is refused',
  );
  t.equal(pass({ finished: 700, peak: 84 }), 256, 'and is over when none is');
});

t.test('an overload must be seen by each of five samples', async (t) => {
  const { pass } = limitOf(256);
  const sizes = times(4, () => [
    ...times(4, () => pass({ finished: 800, peak: 256 })),
    pass({ finished: 800, peak: 96 }),
  ]);
  t.ok(sizes.flat().every((size) => size === 256));
});

t.test('the limit is never below 64, however slow the requests, and never above the maximum', async (t) => {
  const slow = limitOf(256);
  t.equal(times(5, () => slow.pass({ finished: 10, peak: 256 })).at(-1), 64);
  t.equal(times(5, () => slow.pass({ finished: 10, peak: 64 })).at(-1), 256, '64 at once are no overload');
  const fast = limitOf(256);
  t.equal(times(9, () => fast.pass({ finished: 9_000, peak: 256, refused: true })).at(-1), 256);
  const few = limitOf(2);
  t.equal(times(9, () => few.pass({ finished: 10, peak: 2, refused: true })).at(-1), 2);
});

t.test('an event loop that waits for the disk is not overloaded', async (t) => {
  const { activity, pass } = limitOf(256);
  Object.assign(activity, { activeMs: 60, utilization: 0.6 });
  t.equal(times(9, () => pass({ finished: 300, peak: 256, refused: true })).at(-1), 256);
  Object.assign(activity, { activeMs: 0, utilization: 0 });
  t.equal(pass({ finished: 0, peak: 0 }), 256);
});
