import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { DecisionObserver } from './evaluate/evaluate.ts';
import { shownTool } from './features/events/evaluation-events.ts';
import type { EventType } from './features/events/event-types.ts';
import { eventLine, newChain } from './features/events/forms.ts';
import type { OnUnprotected } from './features/integrations/protection.ts';
import type { Load } from './http/plugins/admission.ts';
import type { SharedLimitsEvents } from './http/plugins/shared-limits.ts';
import type { DecisionMetrics, Figures } from './metrics/metrics.ts';

import type { ClockOptions } from './services/clock.ts';
import type { Services } from './services/services.ts';
import { isoTime } from './services/times.ts';
import type { Store } from './store/store.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

// The metrics, traces and log lines of the app. Their writers know nothing of the service.

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

/** A line of OCSF is nothing else: what reads it knows no other fields. */
export function writeEventLines(
  store: Store,
  { eventLines: form, ocsfVersion, publicUrl }: Config,
  logger: Logger,
  lines: { write(line: string): unknown },
): void {
  const source = publicUrl ?? 'urn:assize';
  const options = { form, ocsfVersion, source, chain: newChain(ocsfVersion, randomUUID(), source) };
  store.events.onAppended((events) => {
    for (const event of events) {
      const line = eventLine(event, options);
      if (line === null) continue;
      if (form === 'ocsf') lines.write(`${JSON.stringify(line)}\n`);
      else logger.info(line, event.type);
    }
  });
}

/** An alert for those who read logs; who reads events gets the event. */
export function warnOfUnprotected(store: Store, logger: Pick<Logger, 'warn'>): void {
  const type: EventType = 'integration.unprotected';
  store.events.onAppended((events) => {
    for (const event of events)
      if (event.type === type)
        logger.warn(
          JSON.parse(event.data),
          'an integration lost its last enforced policy: whenNoPolicy decides now',
        );
  });
}

/** The most integrations that a line names. */
const mostNamed = 20;

export const unprotectedLog =
  (logger: Pick<Logger, 'warn'>): OnUnprotected =>
  (integrations, message) =>
    logger.warn(
      {
        integrations: integrations.slice(0, mostNamed).map(({ id, name }) => ({ id, name })),
        ...(integrations.length > mostNamed && { total: integrations.length }),
      },
      message,
    );

export function clockLog(logger: Logger): Pick<ClockOptions, 'onJump' | 'onBehind'> {
  return {
    onJump: (from, to) =>
      logger.warn(
        { from: isoTime(from), to: isoTime(to) },
        'the clock jumped ahead by more than a day: retention waits for assize retention confirm',
      ),
    onBehind: (latest, system) =>
      logger.warn(
        { latest: isoTime(latest), system: isoTime(system) },
        'the clock is behind the latest recorded time, and time goes on from there: set the clock, or run assize clock reset',
      ),
  };
}

export function redisLog(logger: Logger): SharedLimitsEvents {
  return {
    lost: (err) => logger.warn({ err }, 'Redis cannot be used: each process counts rate limits alone'),
    found: () => logger.info('Redis can be used again: rate limits count for all processes together'),
  };
}
