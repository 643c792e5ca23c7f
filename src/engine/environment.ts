import { type CelEnvironment, type CelType, typeOf, types } from '../cel/index.ts';
import { mapValues } from './expression-source.ts';
import { severityRank } from './severity-rank.ts';

const { dyn, int, list, map, object, string, timestamp } = types;

const session = object('session', {
  id: string,
  actionCount: int,
  dataTags: list(string),
  toolsUsed: list(string),
  toolCounts: map(int),
  attemptCounts: map(int),
  warningCount: int,
  blockCount: int,
  reviewCount: int,
  repeats: int,
  startedAt: timestamp,
  metadata: map(dyn),
  // A text or null.
  entityId: dyn,
  recentActions: list(
    object('action', {
      seq: int,
      tool: string,
      targetKey: string,
      dataTags: list(string),
      enforcementAction: string,
      // A text or null.
      severity: dyn,
      at: timestamp,
    }),
  ),
});

/** The variables that every expression can read, in every document. */
const common: Record<string, CelType> = {
  input: map(dyn),
  targetKey: string,
  tool: string,
  phase: string,
  result: object('result', { status: string }),
  dataTags: list(string),
  detections: list(object('detection', { type: string, count: int })),
  integration: object('integration', { id: string, name: string, kind: string }),
  now: timestamp,
  session,
};

/** The names of what a subject gives. */
export const subjectNames: readonly string[] = Object.keys(common);

/** The params of a document: their type, and their values where these are known. */
export interface Params {
  readonly type: CelType;
  readonly values: Readonly<Record<string, unknown>>;
}

/** `values`: undefined when they are not known, so of any type. */
export const paramsOf = (values: Params['values'] | undefined): Params =>
  values === undefined
    ? { type: types.dyn, values: {} }
    : {
        type: object(
          'params',
          mapValues(values, (value) => typeOf(value)),
        ),
        values,
      };

/** The environment of one expression; `input` is the type of the tool's input where a schema gives one. */
export function environment(
  params: Params,
  vars: CelType,
  { input, counters }: { input?: CelType | undefined; counters?: CelType | null } = {},
): CelEnvironment {
  return {
    variables: {
      ...common,
      ...(input && { input }),
      params: params.type,
      vars,
      // Without any, the name is unknown, as it is for an author who never heard of it.
      ...(counters && { counters }),
    },
    constants: { params: params.values },
    functions: [severityRank],
  };
}

/** The session fields that a caller may leave out when no rule reads them. */
export const sessionFields: readonly string[] = [
  'id',
  'actionCount',
  'dataTags',
  'toolsUsed',
  'toolCounts',
  'attemptCounts',
  'warningCount',
  'blockCount',
  'reviewCount',
  'repeats',
  'startedAt',
  'metadata',
  'entityId',
  'recentActions',
];
