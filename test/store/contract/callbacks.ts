import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

export function callbacks(t: Test, open: Open): void {
  t.test(
    'callbacks: written with the decision, due by the clock, kept until delivered or given up',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      const decide = async (now: number) => {
        const reviewId = await make.openReview(store, id, { callbackUrl: 'https://x.example/' });
        const callbackId = make.newId();
        const decision = { status: 'REJECTED' as const, decidedBy: missing, comment: null, now };
        await store.reviews.decide(reviewId, decision, ({ status }) => ({ id: callbackId, body: status }));
        return { reviewId, callbackId };
      };
      t.equal(await store.callbacks.findNextAttemptAt(), null);
      const late = await decide(start + 20);
      const first = await decide(start + 10);
      t.equal(await store.callbacks.findNextAttemptAt(), start + 10);
      const claim = (now: number, limit: number) => store.callbacks.claimDue(now, limit, start + 25);
      const release = (ids: string[]) =>
        Promise.all(ids.map((id) => store.callbacks.release(id, start + 10)));
      t.strictSame(await claim(start + 9, 8), []);
      const due = {
        id: first.callbackId,
        integrationId: id,
        url: 'https://x.example/',
        webhookSecret: 'whsec_x',
        body: 'REJECTED',
      };
      t.strictSame(await claim(start + 10, 8), [{ ...due, attemptCount: 0 }]);
      t.strictSame(await claim(start + 19, 8), [], 'what is claimed is nobody else’s');
      await release([first.callbackId]);
      t.strictSame(await store.callbacks.claimDue(start + 10, 8, start + 25, [missing, id]), [], 'left out');
      t.equal((await store.callbacks.claimDue(start + 10, 8, start + 25, [missing])).length, 1);
      await release([first.callbackId]);
      t.strictSame(
        (await claim(start + 20, 8)).map((callback) => callback.id),
        [first.callbackId, late.callbackId],
        'the longest waiting first',
      );
      t.strictSame(await claim(start + 24, 8), []);
      t.strictSame(
        [(await claim(start + 25, 1)).length, (await claim(start + 25, 8)).length],
        [1, 2],
        'a claim ends, for whoever died with it',
      );
      await store.callbacks.recordFailed(first.callbackId, 'refused', start + 30);
      const { callback } = (await store.reviews.find(id, first.reviewId, start)) ?? {};
      t.strictSame(callback, {
        attemptCount: 1,
        nextAttemptAt: start + 30,
        deliveredAt: null,
        lastError: 'refused',
      });
      await store.callbacks.recordDelivered(late.callbackId, start + 21);
      await store.callbacks.recordFailed(first.callbackId, 'refused', null);
      t.equal(await store.callbacks.findNextAttemptAt(), null);
      t.strictSame(await claim(start + 1_000_000, 8), []);
      t.match((await store.reviews.find(id, late.reviewId, start))?.callback, {
        attemptCount: 1,
        deliveredAt: start + 21,
        lastError: null,
      });
    },
  );
}
