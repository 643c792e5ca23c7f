import { type Static, Type } from '@sinclair/typebox';
import { JsonObject, KeptText, Nullable, Timestamp, Uuid } from '../../schemas/values.ts';
import { ChangeIntegration, IntegrationSettingsChange } from '../integrations/schema.ts';
import { ChangeList, CreateList } from '../lists/schema.ts';
import { ChangeOperator } from '../operators/schema.ts';
import { BindPolicy } from '../policies/schema.ts';
import { AcceptTools, ImportTools, OnChange, PutToolCatalogue } from '../tools/schema.ts';
import {
  type ProposedOperation,
  proposalStatuses,
  proposedOperations,
  type ProposalStatus as Status,
} from './words.ts';

const operation = Type.Unsafe<ProposedOperation>({
  type: 'string',
  enum: [...proposedOperations],
  description: 'the operation that another operator activates',
});

export const ProposalStatus = Type.Unsafe<Status>({ type: 'string', enum: [...proposalStatuses] });

const { params, mode } = BindPolicy.properties;
const { entries, add, remove, note } = ChangeList.properties;
const { name } = ChangeIntegration.properties;
const { entityId, groups } = ChangeOperator.properties;
const target = (of: string) => Type.Optional({ ...Uuid, description: `needed by ${of}` });

export const ProposeChange = Type.Object(
  {
    operation,
    integrationId: target(
      'bindPolicy, unbindPolicy, replaceToolCatalogue, importTools, acceptTools and changeIntegration',
    ),
    policyId: target('the operations of policies and house policies'),
    listId: target('changeList and deleteList'),
    operatorId: Type.Optional({ ...Uuid, description: 'needed by changeOperator' }),
    params,
    mode,
    list: Type.Optional(
      Type.Omit(CreateList, ['note'], { additionalProperties: false, description: 'for createList' }),
    ),
    entries,
    add,
    remove,
    tools: Type.Optional(PutToolCatalogue.properties.tools),
    listedTools: Type.Optional(
      Type.Unsafe<ImportTools['tools']>({
        ...ImportTools.properties.tools,
        description: 'for importTools: the tools that an MCP server lists',
      }),
    ),
    acceptedTools: Type.Optional(
      Type.Unsafe<AcceptTools['tools']>({
        ...AcceptTools.properties.tools,
        description: 'for acceptTools: tools whose change waits, with its digest',
      }),
    ),
    onChange: Type.Optional({ ...OnChange, description: 'for replaceToolCatalogue' }),
    name,
    settings: Type.Optional(IntegrationSettingsChange),
    entityId,
    groups,
    note,
  },
  { additionalProperties: false },
);
export type ProposeChange = Static<typeof ProposeChange>;
/** The fields of the operation. */
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
