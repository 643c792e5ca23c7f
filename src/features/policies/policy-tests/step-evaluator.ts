import { createDetector } from '../../../detectors/index.ts';
import { cataloguedOf, createDecidingTools } from '../../../evaluate/catalogue.ts';
import {
  actionHashes,
  type ContentRequest,
  digestsWith,
  hashAction,
  heldContent,
  type RequestContent,
  rejectionHash,
  scanRequest,
  sha256,
} from '../../../evaluate/content.ts';
import { noDelegators } from '../../../evaluate/counters/sets.ts';
import type { HeldContent, NewEvaluation } from '../../../evaluate/evaluation.ts';
import { plannedCounters } from '../../../evaluate/in-force.ts';
import { type Judging, judge } from '../../../evaluate/judge.ts';
import type { RecordResult } from '../../../evaluate/port.ts';
import { noQuotas, reviewLimitsOf } from '../../../evaluate/quotas.ts';
import { type ParentSession, placeUnder } from '../../../evaluate/session-places.ts';
import { noTexts } from '../../../evaluate/verbatim-texts.ts';
import type { VerdictWithResponse } from '../../../evaluate/verdict.ts';
import { CallArguments } from '../../../policy/call-arguments.ts';
import type { CompiledPolicy } from '../../../policy/compile-policy.ts';
import { countersOf } from '../../../policy/counters/read-counters.ts';
import { type Replay, stepsPerScannedCharacter } from '../../../policy/document/document-tests.ts';
import type { Phase, ResultStatus } from '../../../schemas/decisions.ts';
import { dayMs } from '../../../schemas/durations.ts';
import type { VerifiedIdentity } from '../../../schemas/identities.ts';
import type { Cost } from '../../../schemas/values.ts';
import { newId } from '../../../services/ids.ts';
import type { CounterCells, SessionContext } from '../../../store/store.ts';
import { defaultIntegrationSettings } from '../../integrations/schema.ts';
import type { MemoryRecord } from './memory-record.ts';
import type { MemorySession } from './memory-session.ts';

/** The request of a step. */
export interface StepRequest {
  phase: Phase;
  at: number;
  /** The session's name, with what opens it. */
  session: { name: string; entityId: string | null; metadata: string; parent: MemorySession | null };
  tool: string;
  input: Record<string, unknown>;
  targetKey: string | null;
  /** In addition to what is detected. */
  dataTags: readonly string[];
  resultOf: string | null;
  resultStatus: ResultStatus | null;
  cost: Cost | null;
  identity: VerifiedIdentity | null;
  reviewRequestId: string | null;
}

export interface StepEvaluation {
  verdict: VerdictWithResponse;
  /** The session and counters that the evaluation saw, for messages. */
  before: string;
}

interface Scanned {
  request: ContentRequest;
  content: RequestContent;
  /** Made when an action is held. */
  held?: HeldContent;
}

/** Nothing of a test is kept. */
const salt = 'test';
/** A session that names no expiry lives as long in the service. */
const sessionLifeMs = dayMs;
/** The names that a session keeps in the service, unless it is set otherwise. */
const mostToolNames = 256;
/** The cost of an evaluation besides scanning and the steps of its policies: itself, and each identifier that is kept of it. */
const stepsPerEvaluation = 2_000;
const stepsPerIdentifier = 50;

/** Evaluates requests as the service does: it scans them, judges them by the policies, and records them in `record`. */
export function createStepEvaluator(
  { policies, integration, tools, budget }: Omit<Replay, 'steps'>,
  record: MemoryRecord,
): (request: StepRequest) => StepEvaluation | Exclude<RecordResult['kind'], 'recorded'> {
  const id = integration.id ?? 'test';
  const caller: Judging['integration'] = {
    id,
    name: integration.name ?? 'test',
    kind: integration.kind ?? 'AGENT',
    // Texts that messages show are never compared.
    settings: { ...defaultIntegrationSettings, contentRetention: 'full' },
  };
  const catalogue = createDecidingTools({ tools, onChange: 'HOLD' });
  const detector = createDetector({ custom: policies.flatMap(({ detectors }) => detectors) });
  const sightings = policies.some(({ reads }) => reads.has('seen'));
  const mentioned = new Set(policies.flatMap(({ toolNames }) => [...toolNames]));
  const counters = plannedCounters(policies.map((policy) => ({ policy })));
  const members = policies.map(({ policyId, policyVersion }) => ({ policyId, version: policyVersion }));

  /** The input and the labels of each action, for its result. */
  const inputs = new Map<string, StepRequest['input']>();
  const labels = new Map<string, readonly string[]>();
  const scans = new WeakMap<object, Map<string, Scanned>>();

  /** A step that is done a thousand times sends the same input each time: it is scanned once. */
  function scan({ phase, input, targetKey, tool }: StepRequest): Scanned {
    const ofInput = scans.get(input) ?? new Map<string, Scanned>();
    scans.set(input, ofInput);
    const key = JSON.stringify([phase, targetKey, tool]);
    let known = ofInput.get(key);
    if (!known) {
      const request: ContentRequest = {
        input,
        targetKey,
        targetMetadata: null,
        callbackUrl: null,
        correlationId: null,
        tool,
        retention: 'full',
        reviewInput: 'full',
        redact: false,
        texts: noTexts,
        provenance: sightings ? { phase, salt } : null,
        hashed: phase,
      };
      known = { request, content: scanRequest(detector, request) };
      ofInput.set(key, known);
      budget.steps += (known.content.kept.input ?? '').length * stepsPerScannedCharacter;
    }
    budget.steps += (known.content.mentioned?.size ?? 0) * stepsPerIdentifier;
    return known;
  }

  return (request) => {
    budget.steps += stepsPerEvaluation;
    const { phase, at, session, input, targetKey, resultOf, resultStatus, cost, identity, reviewRequestId } =
      request;
    const known = catalogue.find(request.tool);
    const scanned = scan(request);
    const { content } = scanned;
    const call = new CallArguments(input);
    const tool = known?.name ?? content.kept.tool;
    const evaluation: NewEvaluation = {
      id: newId(),
      integrationId: id,
      mayOpen: true,
      quotas: noQuotas,
      reviewLimits: reviewLimitsOf(caller.settings),
      session: {
        externalSessionId: session.name,
        entityId: session.entityId,
        open: {
          id: newId(),
          integrationId: id,
          entityId: session.entityId,
          externalSessionId: session.name,
          metadata: session.metadata,
          startedAt: at,
          expiresAt: at + sessionLifeMs,
          place: session.parent && placeUnder(parentOf(session.parent, id), id),
        },
      },
      at,
      transport: 'REST',
      phase,
      resultOf,
      actionLabels: labels.get(resultOf ?? '') ?? [],
      resultStatus,
      cost,
      identity,
      provenEntityId: null,
      toolNames: { most: mostToolNames, mentioned },
      needs: { recentActions: true, pendingReview: true, counters, repeats: true, sightings },
      ...actionHashes('', () => content.contentHash ?? hashAction(input, targetKey, null, phase), cost),
      rejectionHash: () =>
        rejectionHash(
          '',
          { input, call, targetKey, targetMetadata: null, phase },
          { asked: request.tool, tool },
        ),
      tool,
      targetKey,
      targetMetadata: null,
      correlationId: null,
      traceId: null,
      dataTags: [...new Set([...content.tags, ...request.dataTags])],
      detections: content.detections,
      input: null,
      policySet: { key: 'test', members, terms: [] },
      revision: 0,
      delegators: noDelegators,
      reviewRequestId,
      idempotency: null,
    };
    const judging: Judging = {
      integration: caller,
      policies,
      evaluation,
      request: { input, ...(targetKey !== null && { targetKey }) },
      call,
      ...(resultOf !== null && { actionArguments: new CallArguments(inputs.get(resultOf) ?? {}).value }),
      detections: content.counts,
      catalogued: known && cataloguedOf(known, phase, call),
      provenance: sightings
        ? { digestOf: digestsWith(salt).nameOf, mentioned: content.mentioned, authorsOf: catalogue.authorsOf }
        : null,
      found: [],
      callbackUrl: null,
      heldContent: () => (scanned.held ??= heldContent(scanned.request, content)),
      shownTool: () => content.kept.tool,
      show: undefined,
      sha256,
      newId,
      write: JSON.stringify,
      steps: budget,
    };
    if (phase === 'ACTION') inputs.set(evaluation.id, input);
    let evaluated: StepEvaluation | undefined;
    const { kind } = record.record(evaluation, (context, reviews, counters, seen) => {
      const verdict = judge(judging, context, reviews, counters, seen);
      if (phase === 'ACTION') labels.set(evaluation.id, verdict.labels);
      evaluated = { verdict, before: describeBefore(policies[0], context, counters, at) };
      return verdict;
    });
    return evaluated ?? (kind as Exclude<RecordResult['kind'], 'recorded'>);
  };
}

const parentOf = ({ id, place }: MemorySession, integrationId: string): ParentSession => ({
  id,
  place,
  integrationId,
});

/** Describes to an author the state that a step met: the policy's counters, and those of the session. */
function describeBefore(
  policy: CompiledPolicy | undefined,
  context: SessionContext,
  cells: CounterCells,
  at: number,
): string {
  const bound = (policy?.bindCounters(countersOf(cells, at, { id: '', resultOf: null })) ?? {}) as Record<
    string,
    unknown
  >;
  const counters = (policy?.counters ?? [])
    .filter(({ per }) => per === null)
    .map(({ name }): [string, unknown] => [`counters.${name}`, bound[name]]);
  const { actionCount, warningCount, blockCount, reviewCount, rejectionCount } = context;
  const { toolCounts, dataTags, labels } = context;
  const counts = Object.entries({ actionCount, warningCount, blockCount, reviewCount, rejectionCount })
    .filter(([, count]) => count > 0)
    .map(([name, count]): [string, unknown] => [`session.${name}`, count]);
  const tools = [...toolCounts].slice(0, mostShown).map(([tool, count]) => `${tool}: ${count}`);
  const tags = dataTags.slice(0, mostShown);
  return [
    ...counters,
    ...counts,
    ...(tools.length > 0 ? [['session.toolCounts', `{${tools.join(', ')}}`]] : []),
    ...(labels.length > 0 ? [['session.labels', `[${labels.join(', ')}]`]] : []),
    ...(tags.length > 0 ? [['session.dataTags', `[${tags.join(', ')}]`]] : []),
  ]
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}

/** The most entries of a map or list in a message. */
const mostShown = 5;
