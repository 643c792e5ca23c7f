import t from 'tap';
import { createReviews } from '../../src/services/reviews.ts';
import { createTurns } from '../../src/services/turns.ts';
import type { Store } from '../../src/store/store.ts';

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
