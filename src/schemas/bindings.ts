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
        description: 'instead of the mode in the document; null leaves it to the document',
      }),
    ),
  },
  { additionalProperties: false },
);
export type BindPolicy = Static<typeof BindPolicy>;

const terms = {
  params: Type.Unsafe<JsonObject>({ ...JsonObject, description: 'that differ from those of the document' }),
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
