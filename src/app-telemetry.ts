import type { DecisionObserver } from './evaluate/evaluate.ts';
import { shownTool } from './features/events/evaluation-events.ts';
import type { Load } from './http/plugins/admission.ts';
import type { DecisionMetrics } from './metrics/decisions.ts';
import type { Figures } from './metrics/gauges.ts';
import type { Services } from './services/services.ts';
import type { Store } from './store/store.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

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

/**
 * A span for each decision, with its parts. Attributes follow the conventions for generative AI where there is one; they hold no
 * content. `run_guardrail` is proposed there, and not decided.
 */
export async function traceDecisions(
  telemetry: Pick<Telemetry, 'trace'>,
  { isGuardrail }: { isGuardrail: boolean },
): Promise<DecisionObserver> {
  const { createDetector } = await import('./detectors/index.ts');
  const detector = createDetector();
  return {
    decided(evaluation, verdict, { beganAt, scannedAt, decidingAt, decidedAt, endedAt }, trace) {
      const { id, integrationId, phase } = evaluation;
      const tool = shownTool(evaluation.tool, detector);
      const { sessionId } = verdict.data;
      telemetry.trace({
        parent: trace,
        name: isGuardrail ? 'run_guardrail assize' : 'evaluate',
        beganAt,
        endedAt,
        attributes: {
          ...(isGuardrail && { 'gen_ai.operation.name': 'run_guardrail' }),
          ...(tool !== null && { 'gen_ai.tool.name': tool }),
          ...(sessionId !== null && { 'gen_ai.conversation.id': sessionId }),
          'assize.evaluation.id': id,
          'assize.integration.id': integrationId,
          'assize.phase': phase,
          'assize.enforcement_action': verdict.enforcementAction,
          ...(verdict.severity !== null && { 'assize.severity': verdict.severity }),
          'assize.rules': verdict.violations.map(({ policyName, ruleId }) => `${policyName}/${ruleId}`),
        },
        steps: [
          { name: 'detection', beganAt, endedAt: scannedAt },
          { name: 'rules', beganAt: decidingAt, endedAt: decidedAt },
          { name: 'commit', beganAt: decidedAt, endedAt },
        ],
      });
    },
  };
}

/** Tells several of each decision; undefined when there is none to tell. */
export function allOf(
  observers: readonly (DecisionObserver | null | undefined)[],
): DecisionObserver | undefined {
  const present = observers.filter((one) => one !== null && one !== undefined);
  if (present.length < 2) return present[0];
  return {
    decided(...decision) {
      for (const observer of present) observer.decided(...decision);
    },
  };
}
