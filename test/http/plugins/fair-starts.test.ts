import t from 'tap';
import { FairStarts } from '../../../src/http/plugins/fair-order.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work of 1 ms each, by a clock that only work moves. */
function workOf(ms = 1) {
  let now = 0;
  const starts = new FairStarts(() => now);
  const begun: string[] = [];
  const work = (name: string): void => {
    begun.push(name);
    now += ms;
  };
  return {
    begun,
    waiting: () => starts.waiting,
    submit(name: string, ahead = false) {
      if (starts.isFree()) work(name);
      else starts.wait(name[0] ?? '', () => work(name), ahead);
    },
  };
}

t.test('a turn of the event loop takes what it has time for, and the next ones go on', async (t) => {
  const { begun, submit, waiting } = workOf();
  for (let place = 0; place < 14; place++) submit(`a${place}`);
  t.strictSame(begun, ['a0', 'a1', 'a2'], '3 ms of work');
  t.equal(waiting(), 11);
  const counts: number[] = [];
  while (begun.length < 14) {
    await turn();
    counts.push(begun.length);
  }
  t.strictSame(counts, [7, 11, 14], 'four a turn, whatever the time');
  t.strictSame(
    begun,
    Array.from({ length: 14 }, (_, place) => `a${place}`),
  );
});

t.test('short work is started sixteen at a time', async (t) => {
  const { begun, submit } = workOf(0.1);
  for (let place = 0; place < 60; place++) submit(`a${place}`);
  t.equal(begun.length, 30);
  await turn();
  t.equal(begun.length, 46);
  await turn();
  t.equal(begun.length, 60);
});

t.test('keys take turns, and what arrives later waits behind what waits', async (t) => {
  const { begun, submit } = workOf();
  for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b0', 'b1']) submit(name);
  await turn();
  submit('c0');
  while (begun.length < 10) await turn();
  t.strictSame(begun, ['a0', 'a1', 'a2', 'a3', 'b0', 'a4', 'b1', 'a5', 'c0', 'a6']);
});

t.test('what was begun goes on before the rest of its key, and after other keys', async (t) => {
  const { begun, submit } = workOf();
  for (const name of ['a0', 'a1', 'a2', 'a3', 'b0']) submit(name);
  submit('a-goes-on', true);
  while (begun.length < 6) await turn();
  t.strictSame(begun.slice(3), ['a-goes-on', 'b0', 'a3']);
});

t.test('an idle event loop starts everything at once, turn after turn', async (t) => {
  const { begun, submit } = workOf();
  for (let place = 0; place < 5; place++) {
    submit(`a${place}`);
    t.equal(begun.length, place + 1);
    await turn();
    await turn();
  }
});
