import { type Static, Type } from '@sinclair/typebox';
import { PolicyMode } from './decisions.ts';
import { PolicySummary } from './policies.ts';
import { JsonObject, Nullable, Timestamp, Uuid } from './values.ts';

export const BindPolicy = Type.Object(
  {
    params: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'values for params of the policy; the others keep the defaults of its document',
      }),
    ),
    mode: Type.Optional(
      Type.Unsafe<PolicyMode | null>({
        type: ['string', 'null'],
        enum: ['ENFORCE', 'MONITOR', null],
        description: 'replaces the mode of the document; null keeps it',
      }),
    ),
  },
  { additionalProperties: false },
);
export type BindPolicy = Static<typeof BindPolicy>;

const terms = {
  params: Type.Unsafe<JsonObject>({ ...JsonObject, description: 'values that differ from the document' }),
  mode: Nullable(PolicyMode),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Binding = Type.Object({ integrationId: Uuid, policyId: Uuid, ...terms });
export type Binding = Static<typeof Binding>;

export const BoundPolicy = Type.Object({ ...PolicySummary.properties, binding: Binding });
export type BoundPolicy = Static<typeof BoundPolicy>;

export const HousePolicy = Type.Object({ policyId: Uuid, ...terms, policy: PolicySummary });
export type HousePolicy = Static<typeof HousePolicy>;
