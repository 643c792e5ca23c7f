import { setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import t from 'tap';
import { freeMemoryWhenIdle } from '../../../src/cli/serve/run.ts';

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
  freeMemoryWhenIdle(100);
  for (const end = performance.now() + 50; performance.now() < end; );
  await setTimeout(150);
  t.equal(youngBytes(), before, 'the process was busy');
  // Tried again where other processes take the core.
  for (let tries = 0; tries < 10 && youngBytes() === before; tries++) {
    freeMemoryWhenIdle(100);
    await setTimeout(150);
  }
  t.ok(youngBytes() < before / 2, `${before} bytes before, ${youngBytes()} after`);
});
