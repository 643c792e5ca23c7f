import { type Static, Type } from '@sinclair/typebox';
import { Nullable, Omitted, Timestamp, Uuid } from './values.ts';

export const policyStatuses = ['DRAFT', 'ACTIVE', 'DEPRECATED'] as const;
export const PolicyStatus = Type.Unsafe<(typeof policyStatuses)[number]>({
  type: 'string',
  enum: [...policyStatuses],
});
export type PolicyStatus = Static<typeof PolicyStatus>;

/** How a document was sent, and so how it is given back. */
const policyMediaTypes = ['application/yaml', 'application/json'] as const;
export const PolicyMediaType = Type.Unsafe<(typeof policyMediaTypes)[number]>({
  type: 'string',
  enum: [...policyMediaTypes],
});
export type PolicyMediaType = Static<typeof PolicyMediaType>;

const summary = {
  id: Uuid,
  name: Type.String({ description: 'the name in the current version of the document' }),
  status: PolicyStatus,
  version: Type.Integer({
    minimum: 1,
    description: 'the current version: the one that decides while ACTIVE',
  }),
  latestVersion: Type.Integer({ minimum: 1 }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const PolicySummary = Type.Object(summary);
export type PolicySummary = Static<typeof PolicySummary>;

export const Policy = Type.Object({
  ...summary,
  mediaType: PolicyMediaType,
  document: Type.String({ description: 'the current version, as it was sent' }),
});
export type Policy = Static<typeof Policy>;

export const PolicyVersion = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  mediaType: PolicyMediaType,
  document: Nullable(Type.String({ description: 'as it was sent; null when it is left out' })),
  author: Nullable(
    Type.Object({
      id: Type.String({ description: 'of the operator; `local` on the command line of the database file' }),
      name: Type.String(),
    }),
  ),
  current: Type.Boolean(),
  createdAt: Timestamp,
  omitted: Omitted,
});
export type PolicyVersion = Static<typeof PolicyVersion>;

export const ActivatePolicy = Type.Object(
  { version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) },
  { additionalProperties: false },
);
export type ActivatePolicy = Static<typeof ActivatePolicy>;

export const PolicyIssue = Type.Object({
  line: Type.Integer(),
  column: Type.Integer(),
  path: Type.String({ description: 'JSON Pointer in the document' }),
  code: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
});

export const PolicyTestResult = Type.Object({
  name: Type.String(),
  passed: Type.Boolean(),
  message: Type.Optional(Type.String()),
});

export const PolicyCheck = Type.Object({
  valid: Type.Boolean(),
  issues: Type.Array(PolicyIssue),
  warnings: Type.Array(PolicyIssue),
  tests: Type.Array(PolicyTestResult),
});
export type PolicyCheck = Static<typeof PolicyCheck>;

export const Binding = Type.Object({ integrationId: Uuid, policyId: Uuid, createdAt: Timestamp });
export type Binding = Static<typeof Binding>;
