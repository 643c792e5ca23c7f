import type { DecisionObserver } from './evaluate/evaluate.ts';
import type { Load } from './http/plugins/admission.ts';
import type { DecisionMetrics } from './metrics/decisions.ts';
import type { Figures } from './metrics/gauges.ts';
import type { Services } from './services/services.ts';
import type { Store } from './store/store.ts';

// Where the metrics, which know nothing of the service, get what they count from.

export const countDecisions = (decisions: DecisionMetrics): DecisionObserver => ({
  decided({ phase, transport, dataTags }, { enforcementAction, violations }, { beganAt, endedAt }) {
    const seconds = (endedAt - beganAt) / 1_000;
    decisions.decided({ enforcementAction, phase, transport, violations, dataTags, seconds });
  },
});

export async function readFigures(
  load: Load & { waiting: number },
  { scanPool }: Services,
  store: Store,
  now: number,
): Promise<Figures> {
  const { pendingReviews, oldestPendingAt, callbacksWaiting, deliveriesWaiting, walBytes } =
    await store.figures(now);
  return {
    requestsInFlight: load.requests,
    requestBytesInFlight: load.bytes,
    requestsWaiting: load.waiting,
    requestLimit: load.requestLimit,
    requestsRefused: load.refused,
    scansWaiting: scanPool.waiting,
    pendingReviews,
    oldestPendingSeconds: oldestPendingAt === null ? 0 : (now - oldestPendingAt) / 1_000,
    callbacksWaiting,
    deliveriesWaiting,
    walBytes,
  };
}
