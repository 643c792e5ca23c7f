import { parseTimestamp, type Timestamp } from '../../cel/index.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { givenIdentity } from '../../schemas/identities.ts';
import type { CustomDetector } from '../../schemas/policy-documents.ts';
import type { PolicyTestGiven } from '../../schemas/policy-tests.ts';
import type { SessionAction, TreeContext } from '../../schemas/session-context.ts';
import type { CounterReadings } from '../counters/read-counters.ts';
import { identifierOf } from '../mentions.ts';
import type { SeenSighting, SightingReadings } from '../seen.ts';
import type { CataloguedTool, DetectionCount, Subject } from '../subject.ts';
import { normalized, toolOf } from '../tool-calls.ts';

/** Finds data in an input. The detectors are passed in, because the engine does not import them. */
export type Detect = (
  input: unknown,
  custom: readonly CustomDetector[],
) => { dataTags: readonly string[]; detections: readonly DetectionCount[] };

/** The time of a test that names none: fixed, so that a test has the same result every day. */
const defaultNow = '2026-01-01T12:00:00Z';

/**
 * The subject a test describes: an empty session, an action without content, and what `given` changes in them.
 * `toolsMentioned`: the names that the policy could look for.
 */
export function testSubject(
  given: PolicyTestGiven,
  custom: readonly CustomDetector[],
  detect?: Detect,
  toolsMentioned: ReadonlySet<string> = new Set(),
): Subject {
  const { input = {}, targetKey = '', integration = {} } = given;
  const { repeats = 0, grants = [], parentId = null, ...session } = given.session ?? {};
  const { phase = 'ACTION' } = given;
  const found = given.input && detect ? detect(input, custom) : { dataTags: [], detections: [] };
  const now = epochMs(given.now ?? defaultNow);
  const toolCounts = new Map(Object.entries(session.toolCounts ?? {}));
  // An action that was let through was also attempted.
  const attemptCounts = new Map([...toolCounts, ...Object.entries(session.attemptCounts ?? {})]);
  return {
    input,
    targetKey,
    tool: normalized(given.tool ?? (phase === 'ACTION' ? toolOf(input, targetKey) : '')),
    catalogued: cataloguedIn(given),
    phase,
    ...(phase === 'RESULT' && { actionArguments: given.call?.arguments ?? {} }),
    cost: given.cost,
    identity: givenIdentity(given.identity),
    resultStatus: phase === 'RESULT' ? (given.result?.status ?? 'OK') : '',
    dataTags: [...new Set([...(given.dataTags ?? []), ...found.dataTags])],
    detections: [...(given.detections ?? []), ...found.detections],
    integration: { id: 'test', name: 'test', kind: 'AGENT', ...integration },
    now,
    session: {
      id: '',
      rootId: '',
      parentId,
      depth: 0,
      tree: givenTree(given.tree, now),
      actionCount: 0,
      dataTags: [],
      labels: [],
      monitoredLabels: [],
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      rejectionCount: 0,
      entityId: null,
      ...session,
      metadata: stringifyJson(session.metadata ?? {}),
      toolCounts,
      attemptCounts,
      startedAt: session.startedAt === undefined ? now : epochMs(session.startedAt),
      recentActions: (session.recentActions ?? []).map(
        ({ at, ...action }, index, all): SessionAction => ({
          seq: all.length - index,
          tool: '',
          targetKey: null,
          dataTags: [],
          enforcementAction: 'ALLOW',
          severity: null,
          rules: [],
          reasons: [],
          labels: [],
          repeats: 0,
          ...action,
          at: at === undefined ? now : epochMs(at),
        }),
      ),
    },
    toolsMentioned,
    repeats,
    grants: grants.map(({ ruleId, tool = '', usesLeft = null, expiresAt }) => ({
      ruleId,
      tool,
      usesLeft,
      expiresAt: expiresAt === undefined ? null : epochMs(expiresAt),
    })),
    counters: givenCounters(given.counters),
    sightings: givenSightings(given.seen),
  };
}

/** Null when the test says nothing of a tree: it is then the session itself. */
function givenTree(tree: PolicyTestGiven['tree'], now: number): TreeContext | null {
  if (tree === undefined) return null;
  const toolCounts = new Map(Object.entries(tree.toolCounts ?? {}));
  return {
    actionCount: 0,
    dataTags: [],
    labels: [],
    warningCount: 0,
    blockCount: 0,
    reviewCount: 0,
    rejectionCount: 0,
    ...tree,
    monitoredLabels: [],
    toolCounts,
    attemptCounts: new Map([...toolCounts, ...Object.entries(tree.attemptCounts ?? {})]),
    startedAt: now,
  };
}

/** A test that says anything of its tool's entry has one: a tool without an effect would be none. */
function cataloguedIn(given: PolicyTestGiven): CataloguedTool | null {
  const { toolEffect, toolUntrusted, toolDirectory, toolDescribed, destinations, identifiers } = given;
  const said = [toolEffect, toolUntrusted, toolDirectory, toolDescribed, destinations, identifiers].some(
    (field) => field !== undefined,
  );
  if (!said) return null;
  return {
    effect: toolEffect ?? 'READ',
    untrustedResults: toolUntrusted ?? false,
    directory: toolDirectory ?? false,
    described: toolDescribed ?? true,
    destinations: destinations ?? [],
    identifiers: identifiers ?? [],
  };
}

/** The milliseconds of a timestamp that the check has accepted. */
export function epochMs(text: string): number {
  const { seconds, nanos } = parseTimestamp(text) as Timestamp;
  return seconds * 1_000 + Math.floor(nanos / 1_000_000);
}

/** The counters that a test gives; 0 for every other counter and value. */
const givenCounters = (given: PolicyTestGiven['counters'] = {}): CounterReadings => ({
  isReserved: () => false,
  read({ name }, key) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (typeof value !== 'object') return value ?? 0;
    // A key begins with its type; in a test, the number 7 and the text "7" are written alike.
    const text = key.slice(1);
    return (Object.hasOwn(value, text) ? value[text] : undefined) ?? 0;
  },
});

/** The sightings that a test gives; every other value was never seen. */
function givenSightings(given: PolicyTestGiven['seen'] = {}): SightingReadings {
  const found = new Map<string | null, SeenSighting[]>();
  for (const [value, sightings] of Object.entries(given)) {
    found.set(
      identifierOf(value),
      sightings.map((one) => ({
        seq: 0,
        tool: '',
        phase: 'RESULT',
        labels: [],
        whole: true,
        field: '',
        origin: '',
        byOthers: one.phase !== 'PROMPT',
        fieldsDescribed: false,
        ...one,
      })),
    );
  }
  return {
    find(value) {
      const identifier = identifierOf(value);
      return identifier === null ? [] : (found.get(identifier) ?? []);
    },
  };
}
