import type { ReviewStatistics } from '../../../features/reviews/schema.ts';
import { call } from '../../data/api.ts';
import { count, countdown } from '../../data/format.ts';
import { useResource } from '../../data/resource.ts';
import { Numbers } from '../../parts/numbers.tsx';
import { Show } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';

const everyMs = 15_000;
const durationOf = (ms: number | null): string => (ms === null ? '–' : countdown(ms));

/** How reviews ended, and how long agents waited for them. */
export function ReviewNumbers() {
  const { statistics: text } = words.value;
  const resource = useResource(
    'review statistics',
    async ({ signal, background }) =>
      (await call<ReviewStatistics>('/v1/reviews/stats', { signal, background })).data,
    { everyMs },
  );
  return (
    <section>
      <h2>{text.reviews}</h2>
      <Show resource={resource}>
        {(found) => (
          <Numbers
            of={[
              [text.pending, count(found.pendingCount)],
              [text.approved, count(found.approvedCount)],
              [text.rejected, count(found.rejectedCount)],
              [text.cancelled, count(found.cancelledCount)],
              [text.expired, count(found.expiredCount)],
              [text.unseen, count(found.expiredUnseenCount)],
              [text.p50, durationOf(found.timeToDecisionMs.p50)],
              [text.p90, durationOf(found.timeToDecisionMs.p90)],
            ]}
          />
        )}
      </Show>
    </section>
  );
}
