import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createDeliveryLoop } from '../../../src/services/callbacks/deliveries.ts';

function openLoop(t: Test, pauseMs?: number) {
  const looks: number[] = [];
  const loop = createDeliveryLoop({
    look: async () => {
      looks.push(performance.now());
      return 60_000;
    },
    ...(pauseMs !== undefined && { pauseMs }),
    onError: (error) => t.fail(String(error)),
  });
  t.teardown(() => loop.stop(async () => undefined));
  return { loop, looks };
}

t.test('what becomes due within a pause shares one look, and none is forgotten', async (t) => {
  const { loop, looks } = openLoop(t, 50);
  loop.start();
  const beganAt = performance.now();
  while (performance.now() - beganAt < 200) {
    loop.wake();
    await setTimeout(1);
  }
  const wokenAt = performance.now();
  loop.wake();
  await setTimeout(100);
  t.ok(looks.length >= 3 && looks.length <= 7, `${looks.length} looks`);
  t.ok((looks.at(-1) ?? 0) > wokenAt, 'the last one is looked for');
  const pauses = looks.slice(1).map((at, place) => at - (looks[place] ?? 0));
  t.ok(Math.min(...pauses) >= 48, `the shortest pause: ${Math.round(Math.min(...pauses))} ms`);
});

t.test('without a pause each wake is followed by a look, and a stopped loop looks no more', async (t) => {
  const { loop, looks } = openLoop(t);
  loop.start();
  for (let count = 0; count < 5; count++) {
    await setTimeout(1);
    loop.wake();
  }
  await setTimeout(1);
  t.equal(looks.length, 6);
  await loop.stop(async () => undefined);
  loop.wake();
  await setTimeout(5);
  t.equal(looks.length, 6);
});
