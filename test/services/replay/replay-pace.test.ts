import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { createReplayPace, type ReplayMessage } from '../../../src/services/replay/replay-thread.ts';

/** How long a replay pauses after so much work, once it was told this, and perhaps to stop so long after that. */
async function pauseAfter(
  message: ReplayMessage,
  workMs = 10,
  stopsAfterMs?: number,
): Promise<{ goesOn: boolean; pausedMs: number }> {
  const { port1: thread, port2: service } = new MessageChannel();
  const { goOn } = createReplayPace(thread);
  const arrived = new Promise((resolve) => thread.once('message', resolve));
  service.postMessage(message);
  await arrived;
  await goOn();
  for (const began = performance.now(); performance.now() - began < workMs; );
  if (stopsAfterMs !== undefined)
    setTimeout(() => service.postMessage('stop' satisfies ReplayMessage), stopsAfterMs);
  const before = performance.now();
  const goesOn = await goOn();
  const pausedMs = performance.now() - before;
  thread.close();
  return { goesOn, pausedMs };
}

t.test('a replay pauses in proportion to the load of the service', async (t) => {
  const busy = await pauseAfter(1);
  t.ok(busy.goesOn);
  t.ok(busy.pausedMs >= 89, `${busy.pausedMs} ms beside full load`);
  // Of 100 ms of work; what else the machine does may take a while, too.
  t.ok((await pauseAfter(0, 100)).pausedMs < 890, 'and not beside none');
});

t.test('a replay that is stopped ends without a pause', async (t) => {
  t.notOk((await pauseAfter('stop')).goesOn);
});

t.test('a replay that is stopped while it pauses ends at once', async (t) => {
  const { goesOn, pausedMs } = await pauseAfter(1, 1_000, 20);
  t.notOk(goesOn);
  t.ok(pausedMs < 8_000, `${pausedMs} ms of a pause of 9 s`);
});
