import { type Static, Type } from '@sinclair/typebox';
import { Violation } from '../../schemas/decisions.ts';
import { KeptText, Nullable, Omitted, Timestamp, Uuid } from '../../schemas/values.ts';
import { dismissalReasons, resolutionTypes, violationStatuses } from './words.ts';

export const ViolationStatus = Type.Unsafe<(typeof violationStatuses)[number]>({
  type: 'string',
  enum: [...violationStatuses],
});
export type ViolationStatus = Static<typeof ViolationStatus>;

export const ResolutionType = Type.Unsafe<(typeof resolutionTypes)[number]>({
  type: 'string',
  enum: [...resolutionTypes],
  description:
    'what was done about it; ACCEPTED: the risk is accepted; INCIDENT: it is handled as an incident elsewhere',
});
export type ResolutionType = Static<typeof ResolutionType>;

export const DismissalReason = Type.Unsafe<(typeof dismissalReasons)[number]>({
  type: 'string',
  enum: [...dismissalReasons],
  description: 'why it is dismissed; FALSE_POSITIVE counts against its rule',
});
export type DismissalReason = Static<typeof DismissalReason>;

/** A violation as operators handle it. */
export const RecordedViolation = Type.Object({
  ...Violation.properties,
  evaluationRunId: Uuid,
  integrationId: Uuid,
  sessionId: Nullable(Uuid),
  entityId: Nullable(Uuid),
  tool: Nullable(Type.String()),
  status: ViolationStatus,
  resolution: Nullable(ResolutionType),
  dismissal: Nullable(DismissalReason),
  note: Nullable(Type.String()),
  triagedBy: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  triagedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  omitted: Omitted,
});
export type RecordedViolation = Static<typeof RecordedViolation>;

const note = Type.Optional(KeptText(2_000));
export const AcknowledgeViolation = Type.Object({ note }, { additionalProperties: false });
export type AcknowledgeViolation = Static<typeof AcknowledgeViolation>;
export const ResolveViolation = Type.Object({ type: ResolutionType, note }, { additionalProperties: false });
export type ResolveViolation = Static<typeof ResolveViolation>;
export const DismissViolation = Type.Object(
  { reason: DismissalReason, note },
  { additionalProperties: false },
);
export type DismissViolation = Static<typeof DismissViolation>;

export const RuleViolations = Type.Object({
  policyId: Type.String({ description: 'empty where no policy decided' }),
  ruleId: Type.String(),
  acknowledgedCount: Type.Integer({ minimum: 0 }),
  resolvedCount: Type.Integer({ minimum: 0 }),
  dismissedCount: Type.Integer({ minimum: 0 }),
  falsePositiveCount: Type.Integer({ minimum: 0 }),
  falsePositiveRate: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'share of the resolved and dismissed violations; null while there are none',
    }),
  ),
});
export type RuleViolations = Static<typeof RuleViolations>;
