import { type Static, Type } from '@sinclair/typebox';
import { JsonObject, Uuid } from './values.ts';

// AuthZEN Authorization API 1.0 (https://openid.net/specs/authorization-api-1_0.html), sections 5 to 7. Other members are
// allowed everywhere, because the specification lets each of its objects be extended.

/** Longest type, id or name. */
const name = Type.String({ minLength: 1, maxLength: 1_000 });
const properties = Type.Optional(JsonObject);
const Entity = Type.Object({ type: name, id: name, properties });
const Action = Type.Object({ name, properties });
const Context = Type.Object({
  externalSessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  reviewRequestId: Type.Optional(Uuid),
  /** The approval of the access request profile: its id is that of the review. */
  approval: Type.Optional(Type.Object({ id: Uuid })),
});

export const AccessEvaluation = Type.Object({
  subject: Entity,
  action: Action,
  resource: Entity,
  context: Type.Optional(Context),
});
export type AccessEvaluation = Static<typeof AccessEvaluation>;

/** Which actions of a subject on a resource are permitted. */
export const ActionSearch = Type.Object({
  subject: Entity,
  resource: Entity,
  context: Type.Optional(Context),
});

/** Entities of a type are looked for: an id is ignored. */
const AnyEntity = Type.Object({ type: name, properties });
const page = Type.Optional(
  Type.Object({
    token: Type.Optional(Type.String({ maxLength: 4_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
);
export const SubjectSearch = Type.Object({
  subject: AnyEntity,
  action: Action,
  resource: Entity,
  context: Type.Optional(Context),
  page,
});
export const ResourceSearch = Type.Object({
  subject: Entity,
  action: Action,
  resource: AnyEntity,
  context: Type.Optional(Context),
  page,
});

/** A held evaluation, as its denial named it. */
export const AccessRequest = Type.Object({
  ...AccessEvaluation.properties,
  denial: Type.Object({ evaluation_id: Uuid }),
});
export type AccessRequest = Static<typeof AccessRequest>;

/** Most evaluations of one request. */
const mostEvaluations = 100;

/** Type and id may be in common with others, each alone. */
const PartOfEntity = Type.Optional(
  Type.Object({ type: Type.Optional(name), id: Type.Optional(name), properties }),
);
const shared = {
  subject: PartOfEntity,
  action: Type.Optional(Type.Object({ name: Type.Optional(name), properties })),
  resource: PartOfEntity,
  context: Type.Optional(Context),
};
/** One of several: what it leaves out, it has in common with the others. */
export const AccessEvaluationItem = Type.Object(shared);
export const AccessEvaluations = Type.Object({
  ...shared,
  /** Each is checked on its own: one that is malformed is denied, beside the decisions of the others. */
  evaluations: Type.Optional(Type.Array(Type.Unknown(), { maxItems: mostEvaluations })),
  options: Type.Optional(
    Type.Object({
      evaluations_semantic: Type.Optional(
        Type.Unsafe<'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit'>({
          type: 'string',
          enum: ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'],
        }),
      ),
    }),
  ),
});
export type AccessEvaluations = Static<typeof AccessEvaluations>;
