import t from 'tap';
import { FairQueue } from '../../src/http/fair-queue.ts';

/** A queue that tells whose turns have begun. */
function queueOf(concurrency: number) {
  const queue = new FairQueue(concurrency);
  const begun: string[] = [];
  return {
    begun,
    enter(key: string, name = key) {
      const turn = queue.enter(key);
      void turn.begins.then(() => begun.push(name));
      return turn;
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

t.test('so many run at once, and each that leaves lets the next one in', async (t) => {
  const { begun, enter, settled } = queueOf(2);
  const turns = ['1', '2', '3', '4'].map((name) => enter('a', name));
  await settled();
  t.strictSame(begun, ['1', '2']);
  turns[1]?.leave();
  turns[1]?.leave();
  await settled();
  t.strictSame(begun, ['1', '2', '3'], 'once, however often it leaves');
  turns[0]?.leave();
  await settled();
  t.strictSame(begun, ['1', '2', '3', '4']);
});

t.test('keys take turns, however many of one wait', async (t) => {
  const { begun, enter, settled } = queueOf(1);
  const turns = ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map(
    (name) => [name, enter(name[0] ?? '', name)] as const,
  );
  const byName = new Map(turns);
  for (let count = 0; count < turns.length; count++) {
    await settled();
    byName.get(begun.at(-1) ?? '')?.leave();
  }
  t.strictSame(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

t.test('one that leaves before its turn never begins, and keeps nobody waiting', async (t) => {
  const { begun, enter, settled } = queueOf(1);
  const first = enter('a', 'first');
  enter('a', 'gone').leave();
  const only = enter('b', 'only of its key');
  only.leave();
  enter('c', 'last');
  first.leave();
  await settled();
  t.strictSame(begun, ['first', 'last']);
});
