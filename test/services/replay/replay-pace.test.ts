import { once } from 'node:events';
import type { setTimeout } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { createReplayPace, type ReplayMessage } from '../../../src/services/replay/replay-thread.ts';

const workMs = 10;

/** Whether a replay goes on after 10 ms of work, once it was told this, and how long it wants to pause, or null. */
async function pauseAfter(message: ReplayMessage, { isStopped = false } = {}) {
  const { port1: thread, port2: service } = new MessageChannel();
  t.teardown(() => thread.close());
  let [hasWorked, pausedMs]: [boolean, number | null] = [false, null];
  const pause = async (ms?: number, _?: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    pausedMs = ms ?? 0;
    if (!isStopped || !hasWorked) return;
    service.postMessage('stop' satisfies ReplayMessage);
    await once(signal as AbortSignal, 'abort');
    throw signal?.reason;
  };
  const { goOn } = createReplayPace(thread, pause as typeof setTimeout);
  const arrived = once(thread, 'message');
  service.postMessage(message);
  await arrived;
  await goOn();
  [hasWorked, pausedMs] = [true, null];
  for (const began = performance.now(); performance.now() - began < workMs; );
  const goesOn = await goOn();
  return { goesOn, pausedMs };
}

t.test('a replay pauses in proportion to the load of the service', async (t) => {
  const busy = await pauseAfter(1);
  t.ok(busy.goesOn);
  t.ok(Number(busy.pausedMs) >= 9 * workMs, `${busy.pausedMs} ms beside full load`);
  t.equal((await pauseAfter(0)).pausedMs, null, 'and not beside none');
});

t.test('a replay that is stopped ends without a pause', async (t) => {
  t.notOk((await pauseAfter('stop')).goesOn);
});

t.test('a replay that is stopped while it pauses ends at once', async (t) => {
  const { goesOn, pausedMs } = await pauseAfter(1, { isStopped: true });
  t.ok(Number(pausedMs) >= 9 * workMs, 'it pauses');
  t.notOk(goesOn);
});
