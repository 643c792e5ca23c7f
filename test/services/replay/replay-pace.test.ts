import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { createReplayPace, type ReplayMessage } from '../../../src/services/replay/replay-pace.ts';

/** How long a replay pauses after 10 ms of work, once it was told this. */
async function pauseAfter(message: ReplayMessage): Promise<{ goesOn: boolean; pausedMs: number }> {
  const { port1: thread, port2: service } = new MessageChannel();
  const { goOn } = createReplayPace(thread);
  const arrived = new Promise((resolve) => thread.once('message', resolve));
  service.postMessage(message);
  await arrived;
  await goOn();
  for (const began = performance.now(); performance.now() - began < 10; );
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
  t.ok((await pauseAfter(0)).pausedMs < 89, 'and not beside none');
});

t.test('a replay that is stopped ends without a pause', async (t) => {
  t.notOk((await pauseAfter('stop')).goesOn);
});
