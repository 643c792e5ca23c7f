import { type Static, Type } from '@sinclair/typebox';
import { counterReading, counterScopes } from '../../schemas/counter-cells.ts';
import { EnforcementAction, Severity } from '../../schemas/decisions.ts';
import { SessionGrant } from '../../schemas/review-terms.ts';
import {
  JsonObject,
  KeptText,
  Nullable,
  NullableText,
  Omitted,
  Replayed,
  Timestamp,
  Uuid,
} from '../../schemas/values.ts';
import { endStatuses, listedToolsLimit, recentActionsLimit, sessionStatuses } from './words.ts';

export const SessionStatus = Type.Unsafe<(typeof sessionStatuses)[number]>({
  type: 'string',
  enum: [...sessionStatuses],
});
export type SessionStatus = Static<typeof SessionStatus>;
const EndStatus = Type.Unsafe<(typeof endStatuses)[number]>({ type: 'string', enum: [...endStatuses] });
export type EndStatus = Static<typeof EndStatus>;

export const CreateEvaluationSession = Type.Object(
  {
    entityId: Type.Optional(NullableText(Uuid)),
    externalSessionId: Type.Optional(KeptText(255, { minLength: 1 })),
    parentSessionId: Type.Optional(
      Type.String({
        ...Uuid,
        description:
          'session of the agent that delegates; may belong to another integration only if its setting `delegatesTo` names this one',
      }),
    ),
    previousSessionId: Type.Optional(
      Type.String({
        ...Uuid,
        description:
          'session of your own that has ended, and that this one continues: what is known of it counts. Not one that is TERMINATED, or that an operator ended',
      }),
    ),
    expiresAt: Type.Optional(Timestamp),
    metadata: Type.Optional(JsonObject),
  },
  { additionalProperties: false },
);
export type CreateEvaluationSession = Static<typeof CreateEvaluationSession>;

export const EndEvaluationSession = Type.Object(
  { status: Type.Optional(EndStatus) },
  { additionalProperties: false },
);
export type EndEvaluationSession = Static<typeof EndEvaluationSession>;

export const RemoveLabel = Type.Object(
  { label: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$' }) },
  { additionalProperties: false },
);
export type RemoveLabel = Static<typeof RemoveLabel>;

export const RemoveGrant = Type.Object({ grantId: Uuid }, { additionalProperties: false });
export type RemoveGrant = Static<typeof RemoveGrant>;

const created = {
  id: Uuid,
  status: SessionStatus,
  entityId: Nullable(Uuid),
  externalSessionId: Type.String(),
  parentSessionId: Nullable(Uuid),
  rootSessionId: Type.String({ ...Uuid, description: 'its own id when it has no parent' }),
  depth: Type.Integer({ minimum: 0, maximum: 8, description: '0 without a parent' }),
  previousSessionId: Nullable(Uuid),
  startedAt: Timestamp,
  expiresAt: Timestamp,
  metadata: JsonObject,
};
const counters = {
  actionCount: Type.Integer({ minimum: 0 }),
  dataTags: Type.Array(Type.String()),
  toolsUsed: Type.Array(Type.String()),
};

export const CreatedEvaluationSession = Type.Object({ ...created, replayed: Type.Optional(Replayed) });
export type CreatedEvaluationSession = Static<typeof CreatedEvaluationSession>;

export const EndedEvaluationSession = Type.Object({
  id: Uuid,
  status: SessionStatus,
  endedAt: Timestamp,
  ...counters,
  replayed: Type.Optional(Replayed),
});
export type EndedEvaluationSession = Static<typeof EndedEvaluationSession>;

export const RecentAction = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'place of the action in its session, from 1' }),
  tool: Nullable(Type.String()),
  targetKey: Nullable(Type.String()),
  dataTags: Type.Array(Type.String()),
  enforcementAction: EnforcementAction,
  severity: Nullable(Severity),
  rules: Type.Array(Type.String(), { description: 'ids of the violated rules' }),
  reasons: Type.Array(Type.String()),
  labels: Type.Array(Type.String(), { description: 'labels that it gave the session' }),
  repeats: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'earlier attempts of the same action; null when no policy reads it',
    }),
  ),
  at: Timestamp,
});
export type RecentAction = Static<typeof RecentAction>;

const common = {
  ...created,
  integrationId: Type.String({ ...Uuid, description: 'of the integration whose key opened it' }),
  endedAt: Nullable(Timestamp),
  ...counters,
  labels: Type.Array(Type.String(), { description: 'labels given by policies (`label` of a rule)' }),
  warningCount: Type.Integer({ minimum: 0 }),
  blockCount: Type.Integer({ minimum: 0 }),
  reviewCount: Type.Integer({ minimum: 0 }),
  rejectionCount: Type.Integer({ minimum: 0, description: 'held actions that a person rejected' }),
};
export const ListedEvaluationSession = Type.Object({
  ...common,
  toolsUsed: Type.Array(Type.String(), {
    maxItems: listedToolsLimit,
    description: 'the first 20, or fewer when they are long',
  }),
  toolsUsedTotal: Type.Integer({ minimum: 0, description: 'number of entries without this limit' }),
  omitted: Omitted,
});
export type ListedEvaluationSession = Static<typeof ListedEvaluationSession>;

export const SessionCounter = Type.Object({
  over: Type.Unsafe<(typeof counterScopes)[number]>({ type: 'string', enum: [...counterScopes] }),
  ...counterReading,
});
export type SessionCounter = Static<typeof SessionCounter>;

export const EvaluationSession = Type.Object({
  ...common,
  toolCounts: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: 'actions that were let through, by tool',
  }),
  attemptCounts: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: 'every evaluation of an action, by tool',
  }),
  grants: Type.Array(SessionGrant, { description: 'of approvals, that its actions can use' }),
  recentActions: Type.Array(RecentAction, { maxItems: recentActionsLimit }),
  counters: Type.Optional(
    Type.Array(SessionCounter, {
      description:
        'for operators alone, because it says how near a limit is: the counters of the policies in force for its integration, over the session, its tree, its entity and the integration',
    }),
  ),
});
export type EvaluationSession = Static<typeof EvaluationSession>;
