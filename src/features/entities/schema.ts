import { type Static, Type } from '@sinclair/typebox';
import { counterReading } from '../../schemas/counter-cells.ts';
import {
  JsonObject,
  NameText,
  Nullable,
  NullableText,
  Omitted,
  Timestamp,
  Uuid,
} from '../../schemas/values.ts';
import { entityKinds, type EntityKind as Kind } from './words.ts';

export const EntityKind = Type.Unsafe<Kind>({
  type: 'string',
  enum: [...entityKinds],
});
export type EntityKind = Kind;

const name = NameText(200);
const owner = NullableText(NameText(200, { description: 'who answers for it' }));
const metadata = Type.Unsafe<JsonObject>({
  type: 'object',
  description: 'at most 16 KB of JSON, 16 levels deep',
});

export const RegisterEntity = Type.Object(
  {
    id: Type.Optional(
      Type.String({ ...Uuid, description: 'the `entityId` of its sessions; a new one when absent' }),
    ),
    name,
    kind: EntityKind,
    owner: Type.Optional(owner),
    metadata: Type.Optional(metadata),
  },
  { additionalProperties: false },
);
export type RegisterEntity = Static<typeof RegisterEntity>;

export const ChangeEntity = Type.Object(
  {
    name: Type.Optional(name),
    kind: Type.Optional(EntityKind),
    owner: Type.Optional(owner),
    metadata: Type.Optional(metadata),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeEntity = Static<typeof ChangeEntity>;

const registered = {
  id: Uuid,
  name: Type.String(),
  kind: EntityKind,
  owner: Nullable(Type.String()),
  metadata: JsonObject,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const ListedEntity = Type.Object({ ...registered, omitted: Omitted });
export type ListedEntity = Static<typeof ListedEntity>;

const Count = Type.Integer({ minimum: 0 });

/** A counter over the entity, of a policy in force for an integration in which the entity acted. */
export const EntityCounter = Type.Object({
  integrationId: Uuid,
  integrationName: Type.String(),
  ...counterReading,
});
export type EntityCounter = Static<typeof EntityCounter>;

export const Entity = Type.Object({
  ...registered,
  sessionCount: Count,
  violationCounts: Type.Object(
    { NEW: Count, ACKNOWLEDGED: Count, RESOLVED: Count, DISMISSED: Count },
    { description: 'those of its sessions; `GET /v1/violations?entityId=` lists them' },
  ),
  counters: Type.Array(EntityCounter, {
    description:
      'counters `over: entity` of the policies in force, in integrations that count something of it',
  }),
});
export type Entity = Static<typeof Entity>;
