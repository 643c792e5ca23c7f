import { setImmediate, setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import t from 'tap';
import { judgeIdleness, watchIdleness } from '../../../src/cli/serve/idleness.ts';

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/** What survives makes V8 enlarge the young generation. */
function fillYoungGeneration(): void {
  const kept: object[] = [];
  while (youngBytes() < 16 * 1_048_576) for (let i = 0; i < 100_000; i++) kept.push({ i });
}

t.test('memory that the start has left is freed when the process is idle, and only then', async (t) => {
  // What a process does before its first turn of the event loop is not measured.
  await setTimeout(1);
  fillYoungGeneration();
  const before = youngBytes();
  let firsts = 0;
  t.teardown(watchIdleness(() => firsts++, 100));
  for (const end = performance.now() + 500; performance.now() < end; await setImmediate())
    for (const pause = performance.now() + 20; performance.now() < pause; );
  t.ok(youngBytes() >= before, 'the process was busy');
  t.equal(firsts, 0);
  // Other processes may take the core.
  for (let tries = 0; tries < 100 && youngBytes() >= before / 2; tries++) await setTimeout(100);
  t.ok(youngBytes() < before / 2, `${before} bytes before, ${youngBytes()} after`);
  t.equal(firsts, 1);
});

/** The places of periods, of which `.` is quiet and `x` busy, at which something is due. */
function due(periods: string) {
  const judge = judgeIdleness();
  const results = [...periods].map((period) => judge(period === '.'));
  const places = (is: (one: (typeof results)[number]) => boolean) =>
    results.flatMap((one, place) => (is(one) ? [place] : []));
  return { freed: places((one) => one.isMemoryFreed), firsts: places((one) => one.isFirst) };
}

/** Five minutes but a period. */
const almost = '.'.repeat(119);

t.test('memory is freed once after each time of work, when it has been quiet for five minutes', async (t) => {
  t.same(due(`.${almost}${almost}`), { freed: [0], firsts: [0] }, 'not again without work');
  t.same(due(`x.${almost}${almost}`), { freed: [1], firsts: [1] }, 'the start itself is no work');
  t.same(due('xx.......'), { freed: [5], firsts: [2] }, 'a start that is followed by work');
  t.same(due(`..x${almost}.`), { freed: [0, 122], firsts: [0] }, 'not at once after work');
  t.same(
    due(`.x${almost}x${almost}.x${almost}.`),
    { freed: [0, 241, 362], firsts: [0] },
    'a request begins the wait anew',
  );
  t.same(due('x'.repeat(30)), { freed: [], firsts: [23] }, 'a minute without a quiet period');
});
