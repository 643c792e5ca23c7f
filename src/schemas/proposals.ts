import { type Static, Type } from '@sinclair/typebox';
import { BindPolicy } from './bindings.ts';
import { ChangeList } from './lists.ts';
import { JsonObject, KeptText, Nullable, Timestamp, Uuid } from './values.ts';

/** What may be proposed: changes of what decides that are no version of a policy, by the operationId of their route. */
export const proposedOperations = [
  'bindPolicy',
  'unbindPolicy',
  'bindHousePolicy',
  'unbindHousePolicy',
  'changeList',
  'deprecatePolicy',
] as const;
export type ProposedOperation = (typeof proposedOperations)[number];
const operation = Type.Unsafe<ProposedOperation>({
  type: 'string',
  enum: [...proposedOperations],
  description: 'the operation that another operator activates',
});

const proposalStatuses = ['PENDING', 'ACTIVATED', 'REJECTED'] as const;
export const ProposalStatus = Type.Unsafe<(typeof proposalStatuses)[number]>({
  type: 'string',
  enum: [...proposalStatuses],
});
export type ProposalStatus = Static<typeof ProposalStatus>;

const { params, mode } = BindPolicy.properties;
const { entries, add, remove, note } = ChangeList.properties;
const target = (of: string) => Type.Optional({ ...Uuid, description: `needed by ${of}` });

export const ProposeChange = Type.Object(
  {
    operation,
    integrationId: target('bindPolicy and unbindPolicy'),
    policyId: target('every operation but changeList'),
    listId: target('changeList'),
    params,
    mode,
    entries,
    add,
    remove,
    note,
  },
  { additionalProperties: false },
);
export type ProposeChange = Static<typeof ProposeChange>;
/** What the operation takes. */
export type ProposedChange = Omit<ProposeChange, 'operation' | 'note'>;

const person = Type.Object({ id: Type.String(), name: Type.String() });

const summary = {
  id: Uuid,
  operation,
  status: ProposalStatus,
  note: Nullable(KeptText(500)),
  author: person,
  decidedBy: Nullable(person),
  createdAt: Timestamp,
  decidedAt: Nullable(Timestamp),
};
export const ProposalSummary = Type.Object(summary);
export type ProposalSummary = Static<typeof ProposalSummary>;

export const Proposal = Type.Object({
  ...summary,
  change: Type.Unsafe<JsonObject>({ ...JsonObject, description: 'what the operation was given' }),
  before: Type.Unsafe<JsonObject | null>({
    ...JsonObject,
    type: ['object', 'null'],
    description: 'what it would change, as it was then; null when it was not there',
  }),
});
export type Proposal = Static<typeof Proposal>;
