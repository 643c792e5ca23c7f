import { type CelEnvironment, type CelType, types } from '../cel/index.ts';
import { listsType } from './lists.ts';
import { type DeclaredParams, valuesOf } from './params.ts';
import { seen } from './provenance/seen.ts';
import { mapValues } from './records.ts';
import { severityRank } from './severity-rank.ts';

const { bool, dyn, int, list, map, object, string, timestamp } = types;

const session = object('session', {
  id: string,
  parentId: string,
  depth: int,
  actionCount: int,
  dataTags: list(string),
  labels: list(string),
  toolsUsed: list(string),
  toolCounts: map(int),
  attemptCounts: map(int),
  warningCount: int,
  blockCount: int,
  reviewCount: int,
  rejectionCount: int,
  repeats: int,
  startedAt: timestamp,
  metadata: map(dyn),
  // A text or null.
  entityId: dyn,
  grants: list(
    object('grant', {
      ruleId: string,
      tool: string,
      // A number, or null for any number.
      usesLeft: dyn,
      // A timestamp, or null for as long as the session.
      expiresAt: dyn,
    }),
  ),
  recentActions: list(
    object('action', {
      seq: int,
      tool: string,
      targetKey: string,
      dataTags: list(string),
      enforcementAction: string,
      // A text or null.
      severity: dyn,
      rules: list(string),
      reasons: list(string),
      labels: list(string),
      repeats: int,
      at: timestamp,
    }),
  ),
});

const tree = object('tree', {
  id: string,
  actionCount: int,
  dataTags: list(string),
  labels: list(string),
  toolsUsed: list(string),
  toolCounts: map(int),
  attemptCounts: map(int),
  warningCount: int,
  blockCount: int,
  reviewCount: int,
  rejectionCount: int,
  startedAt: timestamp,
});

/** The variables that every expression can read, in every document. */
const common: Record<string, CelType> = {
  input: map(dyn),
  arguments: map(dyn),
  targetKey: string,
  tool: string,
  toolEffect: string,
  toolUntrusted: bool,
  destinations: list(string),
  identifiers: list(string),
  phase: string,
  result: object('result', { status: string }),
  // Numbers by unit.
  cost: map(dyn),
  dataTags: list(string),
  detections: list(object('detection', { type: string, count: int })),
  integration: object('integration', { id: string, name: string, kind: string }),
  now: timestamp,
  session,
  tree,
};

/** The names of what a subject gives. */
export const subjectNames: readonly string[] = Object.keys(common);

/** The params of a document: their type, and their values where these are known. */
export interface Params {
  readonly type: CelType;
  readonly values: Readonly<Record<string, unknown>>;
  /** The names of the shared lists; null when they are not known. */
  readonly lists: readonly string[] | null;
}

/** `declared`: undefined when they are not known, so of any type. */
export const paramsOf = (declared: DeclaredParams | undefined, lists: readonly string[] | null): Params =>
  declared === undefined
    ? { type: types.dyn, values: {}, lists }
    : {
        type: object(
          'params',
          mapValues(declared, ({ type }) => type),
        ),
        values: valuesOf(declared),
        lists,
      };

/** The environment of one expression; `input` is the type of the tool's arguments where a schema gives one. */
export function environment(
  params: Params,
  vars: CelType,
  { input, counters }: { input?: CelType | undefined; counters?: CelType | null } = {},
): CelEnvironment {
  return {
    variables: {
      ...common,
      ...(input && { input, arguments: input }),
      params: params.type,
      lists: listsType(params.lists),
      vars,
      // Without any, the name is unknown, as it is for an author who never heard of it.
      ...(counters && { counters }),
    },
    constants: { params: params.values },
    functions: [severityRank, seen],
  };
}

/** The session fields that a caller may leave out when no rule reads them. */
export const sessionFields: readonly string[] = [
  'id',
  'parentId',
  'depth',
  'actionCount',
  'dataTags',
  'labels',
  'toolsUsed',
  'toolCounts',
  'attemptCounts',
  'warningCount',
  'blockCount',
  'reviewCount',
  'rejectionCount',
  'repeats',
  'startedAt',
  'metadata',
  'entityId',
  'grants',
  'recentActions',
];
