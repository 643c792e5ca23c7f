import type { Test } from 'tap';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

export function figures(t: Test, open: Open): void {
  t.test('figures: count what waits for a person or a receiver at that moment', async (t) => {
    const store = await open(t);
    t.match(await store.figures(start), { pendingReviews: 0, oldestPendingAt: null, callbacksWaiting: 0 });
    const { id } = await make.createIntegration(store);
    const life = { expiresAt: start + 10_000, expirySeconds: 10 };
    const first = await make.openReview(store, id, { ...life, callbackUrl: 'https://a.example' });
    await make.openReview(store, id, { ...life, expiresAt: start + 5_000 });
    t.match(await store.figures(start), { pendingReviews: 2, oldestPendingAt: start, callbacksWaiting: 0 });
    t.match(await store.figures(start + 5_000), { pendingReviews: 1 }, 'one has expired');
    await store.reviews.decide(
      first,
      { status: 'APPROVED', decidedBy: make.newId(), comment: null, now: start + 1 },
      () => ({ id: make.newId(), body: '{}' }),
    );
    t.match(await store.figures(start + 1), { pendingReviews: 1, callbacksWaiting: 1 });
    const [callback] = await store.callbacks.claimDue(start + 1, 1, start + 2);
    await store.callbacks.recordDelivered(callback?.id ?? '', start + 2);
    t.match(await store.figures(start + 5_000), {
      pendingReviews: 0,
      oldestPendingAt: null,
      callbacksWaiting: 0,
    });
  });
}
