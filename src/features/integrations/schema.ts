import { type Static, Type } from '@sinclair/typebox';
import { IdentitySettings } from '../../schemas/identities.ts';
import {
  KeptText,
  NameText,
  Nullable,
  NullableText,
  Omitted,
  Timestamp,
  Uuid,
} from '../../schemas/values.ts';
import {
  type AfterRejection,
  afterRejections,
  type ContentRetention,
  contentRetentions,
  type DetectionSensitivity,
  detectionSensitivities,
  type IntegrationKind as IntegrationKinds,
  integrationKinds,
  type KeyScope,
  keyScopes,
  type NoPolicyDecision,
  noPolicyDecisions,
  type ReviewInput,
  reviewInputs,
  type SchemaMismatchAction,
  type SessionScope,
  schemaMismatchActions,
  sessionScopes,
  type UnknownToolAction,
  unknownToolActions,
} from './words.ts';

export const IntegrationKind = Type.Unsafe<IntegrationKinds>({
  type: 'string',
  enum: [...integrationKinds],
});
export type IntegrationKind = IntegrationKinds;

const Tags = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Z][A-Z0-9_]*$' }), {
    maxItems: 200,
    uniqueItems: true,
    default: [],
    description,
  });

/** Beyond it, requests get 429, which names it. */
const Quota = (maximum: number, description: string, byDefault: number | null = null) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum,
    default: byDefault,
    description,
  });

/** The settings of an integration's evaluations beyond its policies. Every field has a default, so `{}` is complete. */
export const IntegrationSettings = Type.Object(
  {
    contentRetention: Type.Unsafe<ContentRetention>({
      type: 'string',
      enum: [...contentRetentions],
      default: 'redacted',
      description:
        'what is stored of `input`, `targetMetadata` and rendered messages: `full`, everything; `redacted`, detected values masked, in lists and messages too; `none`, nothing',
    }),
    reviewInput: Type.Unsafe<ReviewInput>({
      type: 'string',
      enum: [...reviewInputs],
      default: 'full',
      description:
        'what an operator sees of the action while a review is PENDING, whatever `contentRetention` says: `full`, everything; `redacted`, detected values masked',
    }),
    detectionSensitivity: Type.Unsafe<DetectionSensitivity>({
      type: 'string',
      enum: [...detectionSensitivities],
      default: 'balanced',
      description: 'strict also reports bare values without a context word',
    }),
    disabledTags: Tags('data tags that are not looked for'),
    enabledTags: Tags('opt-in data tags that are looked for, too: URL, PROMPT_INJECTION'),
    sessionScope: Type.Unsafe<SessionScope>({
      type: 'string',
      enum: [...sessionScopes],
      default: 'client',
      description:
        'which MCP calls share a session when they name none: those of one connection, of one client (by network address), of the whole integration, or of one trace; see docs/mcp.md',
    }),
    requireSession: Type.Boolean({
      default: false,
      description:
        'refuses evaluations that name no session: without one, an agent starts with an empty history each time',
    }),
    whenNoPolicy: Type.Unsafe<NoPolicyDecision>({
      type: 'string',
      enum: [...noPolicyDecisions],
      default: 'ALLOW',
      description: 'the decision while no ACTIVE policy in mode ENFORCE is bound',
    }),
    unknownTools: Type.Unsafe<UnknownToolAction>({
      type: 'string',
      enum: [...unknownToolActions],
      default: 'ALLOW',
      description:
        'minimum enforcement for an action whose tool is not in the tool catalogue, or that names no tool',
    }),
    onSchemaMismatch: Type.Unsafe<SchemaMismatchAction>({
      type: 'string',
      enum: [...schemaMismatchActions],
      default: 'BLOCK',
      description:
        'minimum enforcement for a call whose arguments do not match the schema in the tool catalogue',
    }),
    identity: Type.Unsafe<IdentitySettings | null>({
      ...IdentitySettings,
      type: ['object', 'null'],
      description: 'whose tokens say who acts (docs/identity.md); null, the default, takes none',
    }),
    delegatesTo: Type.Array(Uuid, {
      maxItems: 50,
      uniqueItems: true,
      default: [],
      description:
        'ids of other integrations whose sessions may be children of its sessions (`parentSessionId`); its policies apply in them, too',
    }),
    afterRejection: Type.Unsafe<AfterRejection>({
      type: 'string',
      enum: [...afterRejections],
      default: 'BLOCK',
      description:
        'the exact action that a person rejected, tried again in the same session: `BLOCK` with the reason `rejected_by_reviewer`, or `ASK_AGAIN`, which opens another review',
    }),
    maxPendingReviews: Quota(
      1_000_000,
      'reviews of the integration that may be PENDING at once; beyond it, an action that needs approval is BLOCK; null is 1000',
      1_000,
    ),
    maxPendingReviewsInSession: Quota(
      1_000_000,
      'the same for one session and its sub-agents together; null is 20',
      20,
    ),
    maxOpenSessions: Quota(10_000_000, 'sessions that may be ACTIVE at once; null is no limit'),
    maxBytesPerDay: Quota(
      1_000_000_000_000,
      'bytes of content, findings and metadata that may be stored in a day of UTC, counted while it is set; null is no limit',
    ),
    requestsPerMinute: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: 100_000_000,
      default: null,
      description: 'rate limit of this integration; 0 means no limit, null means the default of the service',
    }),
  },
  { additionalProperties: false },
);
export type IntegrationSettings = Static<typeof IntegrationSettings>;

export const defaultIntegrationSettings: IntegrationSettings = {
  contentRetention: 'redacted',
  reviewInput: 'full',
  detectionSensitivity: 'balanced',
  disabledTags: [],
  enabledTags: [],
  sessionScope: 'client',
  requireSession: false,
  whenNoPolicy: 'ALLOW',
  unknownTools: 'ALLOW',
  onSchemaMismatch: 'BLOCK',
  identity: null,
  delegatesTo: [],
  afterRejection: 'BLOCK',
  maxPendingReviews: 1_000,
  maxPendingReviewsInSession: 20,
  maxOpenSessions: null,
  maxBytesPerDay: null,
  requestsPerMinute: null,
};

const Name = NameText(200);
const Description = NullableText(KeptText(2_000));
export const IntegrationSettingsChange = Type.Partial(IntegrationSettings, { additionalProperties: false });
const KeyExpiry = NullableText({ ...Timestamp, description: 'when the key expires; null means never' });

export const CreateIntegration = Type.Object(
  {
    name: Name,
    kind: IntegrationKind,
    description: Type.Optional(Description),
    settings: Type.Optional(IntegrationSettingsChange),
    apiKeyExpiresAt: Type.Optional(KeyExpiry),
  },
  { additionalProperties: false },
);
export type CreateIntegration = Static<typeof CreateIntegration>;

export const ChangeIntegration = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    settings: Type.Optional(IntegrationSettingsChange),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeIntegration = Static<typeof ChangeIntegration>;

export const RegenerateKey = Type.Object(
  { apiKeyExpiresAt: Type.Optional(KeyExpiry) },
  { additionalProperties: false },
);
export type RegenerateKey = Static<typeof RegenerateKey>;

const integrationWarningCodes = ['no_policy_bound', 'no_policy_enforced', 'name_taken'] as const;
export const IntegrationWarning = Type.Object({
  code: Type.Unsafe<(typeof integrationWarningCodes)[number]>({
    type: 'string',
    enum: [...integrationWarningCodes],
  }),
  message: Type.String(),
});
export type IntegrationWarning = Static<typeof IntegrationWarning>;

const integration = {
  id: Uuid,
  name: Type.String(),
  kind: IntegrationKind,
  description: Type.Union([Type.String(), Type.Null()]),
  status: Type.Unsafe<'ACTIVE' | 'DELETED'>({ type: 'string', enum: ['ACTIVE', 'DELETED'] }),
  settings: IntegrationSettings,
  apiKeyPrefix: Type.Union([Type.String(), Type.Null()], {
    description: 'the first characters of its newest key, to recognise it by; null when all are revoked',
  }),
  apiKeyExpiresAt: Type.Union([Timestamp, Type.Null()]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Type.Union([Timestamp, Type.Null()]),
};
export const Integration = Type.Object({
  ...integration,
  warnings: Type.Array(IntegrationWarning, {
    description:
      'that nothing decides for it: no policy is bound, so everything is allowed; when it is created, that another one has its name',
  }),
});
export type Integration = Static<typeof Integration>;

const apiKey = Type.String({
  description: 'shown only in this response: `asz_live_` and 43 base64url characters',
});
const webhookSecret = Type.String({
  description: 'shown only in this response: verifies the signature of callbacks',
});

export const CreatedIntegration = Type.Object({ ...Integration.properties, apiKey, webhookSecret });
export type CreatedIntegration = Static<typeof CreatedIntegration>;
export const RegeneratedKey = Type.Object({ ...Integration.properties, apiKey });
export type RegeneratedKey = Static<typeof RegeneratedKey>;
export const RegeneratedWebhookSecret = Type.Object({ id: Uuid, webhookSecret });
export type RegeneratedWebhookSecret = Static<typeof RegeneratedWebhookSecret>;

export const ListedIntegration = Type.Object({ ...integration, omitted: Omitted });
/** As in a list. */
export type IntegrationSummary = Omit<Integration, 'warnings'>;

const Scopes = (description: string) =>
  Type.Array(Type.Unsafe<KeyScope>({ type: 'string', enum: [...keyScopes] }), {
    minItems: 1,
    maxItems: keyScopes.length,
    uniqueItems: true,
    description,
  });

const KeyName = NameText(200, { description: 'what it is for; `key` when absent' });

export const IntegrationKey = Type.Object({
  id: Uuid,
  integrationId: Uuid,
  name: Type.String(),
  lastFour: Nullable(Type.String({ description: 'its last four characters; null for keys of old versions' })),
  scopes: Scopes('what it may be used for'),
  createdAt: Timestamp,
  lastUsedAt: Nullable(
    Type.String({ ...Timestamp, description: 'to the minute: written once a minute at most' }),
  ),
  expiresAt: Nullable(Timestamp),
  revokedAt: Nullable(Timestamp),
});
export type IntegrationKey = Static<typeof IntegrationKey>;

export const CreatedIntegrationKey = Type.Object({ ...IntegrationKey.properties, apiKey });
export type CreatedIntegrationKey = Static<typeof CreatedIntegrationKey>;

export const RotatedIntegrationKey = Type.Object({
  ...IntegrationKey.properties,
  apiKey,
  replaces: Type.Unsafe<IntegrationKey>({
    ...IntegrationKey,
    description: 'the key that was rotated; it works until its `expiresAt`',
  }),
});
export type RotatedIntegrationKey = Static<typeof RotatedIntegrationKey>;

export const CreateIntegrationKey = Type.Object(
  {
    name: Type.Optional(KeyName),
    scopes: Type.Optional(Scopes('what it may be used for; everything when absent')),
    expiresAt: Type.Optional(NullableText(Timestamp)),
  },
  { additionalProperties: false },
);
export type CreateIntegrationKey = Static<typeof CreateIntegrationKey>;

export const RotateIntegrationKey = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description: 'for how long the key that is rotated goes on working, unless it expires earlier',
      }),
    ),
    expiresAt: Type.Optional(NullableText({ ...Timestamp, description: 'of the new key' })),
  },
  { additionalProperties: false },
);
export type RotateIntegrationKey = Static<typeof RotateIntegrationKey>;
