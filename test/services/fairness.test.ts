import t from 'tap';
import { createReviews } from '../../src/features/reviews/service.ts';
import { createTurns, FairQueue, FairShare, RotatingQueue } from '../../src/services/fairness.ts';
import type { Store } from '../../src/store/store.ts';

/** What is taken until nothing is left. */
function drain(queue: RotatingQueue<string>): string[] {
  const taken: string[] = [];
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) taken.push(entry);
  return taken;
}

t.test('keys take turns, each in the order of its entries', async (t) => {
  const queue = new RotatingQueue<string>();
  t.equal(queue.isEmpty, true);
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(entry[0] ?? '', entry);
  queue.add('a', 'a0', true);
  queue.add('a', 'a0 again', true);
  queue.add('d', 'd0', true);
  t.equal(queue.isEmpty, false);
  t.strictSame(drain(queue), ['a0', 'b1', 'c1', 'd0', 'a0 again', 'c2', 'a1', 'a2', 'a3']);
  t.equal(queue.isEmpty, true);
});

t.test('a removed entry is not taken, and removing another changes nothing', async (t) => {
  const queue = new RotatingQueue<string>();
  for (const entry of ['a1', 'a2', 'b1']) queue.add(entry[0] ?? '', entry);
  queue.remove('a', 'a1');
  queue.remove('b', 'b1');
  queue.remove('b', 'b1');
  queue.remove('a', 'b1');
  t.strictSame(drain(queue), ['a2']);
});

/** Takes one by one until refused; returns how many it got. */
function fill(share: FairShare, key: string, capacity: number): number {
  let count = 0;
  while (share.take(key, 1, capacity)) count++;
  return count;
}

t.test('keys that take all they can get leave as much to the next one', async (t) => {
  const share = new FairShare();
  t.equal(fill(share, 'a', 512), 256, 'half of it alone');
  t.equal(fill(share, 'b', 512), 128, 'half of what is left to the one that comes later');
  t.equal(fill(share, 'a', 512), 0);
  t.equal(share.take('bystander', 1, 512), true);
  for (let count = 0; count < 300; count++) {
    const key = count % 2 === 0 ? 'a' : 'b';
    if (share.usedBy(key) > 0) share.release(key, 1);
    share.take(count % 3 === 0 ? 'a' : 'b', 1, 512);
  }
  t.ok(share.usedBy('a') <= 256 && share.usedBy('b') <= 256);
});

t.test('takes nothing when there is no room for all of an amount', async (t) => {
  const share = new FairShare();
  t.equal(share.take('a', 101, 100), false);
  t.equal(share.used, 0);
  t.equal(share.take('a', 50, 100), true);
  t.equal(share.take('a', 1, 100), false);
  t.equal(share.take('a', 0, 100), true, 'nothing always has room');
  share.release('a', 50);
  t.equal(share.used, 0);
  t.equal(share.usedBy('a'), 0);
  t.equal(share.take('a', 50, 100), true, 'what was released can be taken again');
});

t.test('a capacity of infinity refuses nothing', async (t) => {
  const share = new FairShare();
  t.equal(share.take('a', 1e12, Number.POSITIVE_INFINITY), true);
  t.equal(share.take('a', 1e12, Number.POSITIVE_INFINITY), true);
});

t.test('names the keys that have no room', async (t) => {
  const share = new FairShare();
  t.strictSame(share.full(1, 8), []);
  fill(share, 'a', 8);
  t.strictSame(share.full(1, 8), ['a']);
  share.take('b', 1, 8);
  t.strictSame(share.full(1, 8), ['a']);
  share.release('a', 3);
  t.strictSame(share.full(1, 8), []);
});

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

t.test('runs at most so many at once, in order, and goes on after a failure', async (t) => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, place) =>
    inTurn(() => {
      begun.push(place);
      return promise;
    }),
  );
  t.strictSame(begun, [0, 1]);
  ends[1]?.reject(new Error('no'));
  await t.rejects(all[1] as Promise<void>, { message: 'no' });
  t.strictSame(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all([all[0], all[2], all[3]]);
  t.strictSame(begun, [0, 1, 2, 3]);
});

t.test('many requests that wait for reviews leave connections of the database to evaluations', async (t) => {
  let [reading, most, looks] = [0, 0, 0];
  const find = async (_: unknown, id: string) => {
    // The first look of each request is its own.
    const isAgain = ++looks > 20;
    most = isAgain ? Math.max(most, ++reading) : most;
    await new Promise(setImmediate);
    if (isAgain) reading--;
    return { id, status: isAgain ? 'APPROVED' : 'PENDING', seenAt: 1, expiresAt: 1, createdAt: 1 };
  };
  const reviews = createReviews({
    store: { reviews: { find } } as unknown as Store,
    now: () => 0,
    newId: () => '',
    onError: (error) => t.fail(String(error)),
    callbackWaits: () => undefined,
    fourEyes: false,
  });
  const waits = Array.from({ length: 20 }, (_, place) =>
    reviews
      .await({ integrationId: 'i', decides: false } as never, `${place}`, 5_000, new AbortController().signal)
      // What a review looks like is not asked here.
      .catch((error) => error),
  );
  await Promise.all(waits);
  t.equal(looks, 40);
  t.equal(most, 2);
});
