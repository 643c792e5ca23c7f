import { setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import t from 'tap';
import { watchIdleness } from '../../../src/cli/serve/idleness.ts';

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/** What survives makes V8 enlarge the young generation. */
function fillYoungGeneration(): void {
  const kept: object[] = [];
  while (youngBytes() < 16 * 1_048_576) for (let i = 0; i < 100_000; i++) kept.push({ i });
}

const busyFor = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

t.test('memory that the start has left is freed when the process is idle, and only then', async (t) => {
  // What a process does before its first turn of the event loop is not measured.
  await setTimeout(1);
  fillYoungGeneration();
  const before = youngBytes();
  let firsts = 0;
  t.teardown(watchIdleness({ onFirst: () => firsts++ }, 100));
  busyFor(50);
  await setTimeout(70);
  t.ok(youngBytes() >= before, 'the process was busy');
  t.equal(firsts, 0);
  // Other processes may take the core.
  for (let tries = 0; tries < 100 && youngBytes() >= before / 2; tries++) await setTimeout(100);
  t.ok(youngBytes() < before / 2, `${before} bytes before, ${youngBytes()} after`);
  t.equal(firsts, 1);
});

t.test('memory is freed once after each time of work, when it has been quiet for longer', async (t) => {
  let [freed, firsts] = [0, 0];
  t.teardown(watchIdleness({ freeMemory: () => freed++, onFirst: () => firsts++ }, 50));
  const until = async (is: () => boolean) => {
    for (let tries = 0; tries < 400 && !is(); tries++) await setTimeout(50);
  };
  await until(() => freed === 1);
  await setTimeout(500);
  t.equal(freed, 1, 'not again without work');
  busyFor(120);
  await setTimeout(60);
  t.equal(freed, 1, 'not at once after it');
  await until(() => freed === 2);
  t.equal(freed, 2);
  t.equal(firsts, 1);
});
