import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { Entity, EntityCounter, ListedEntity } from './schema.ts';
import { entityKinds } from './words.ts';

const columns: Column<ListedEntity>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'OWNER', of: ({ owner }) => owner },
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
];
const fields: Column<Entity>[] = [
  ...(columns as Column<Entity>[]),
  { title: 'METADATA', of: ({ metadata }) => JSON.stringify(metadata) },
  { title: 'SESSIONS', of: ({ sessionCount }) => sessionCount },
  { title: 'NEW VIOLATIONS', of: ({ violationCounts }) => violationCounts.NEW },
  { title: 'ACKNOWLEDGED', of: ({ violationCounts }) => violationCounts.ACKNOWLEDGED },
  { title: 'RESOLVED', of: ({ violationCounts }) => violationCounts.RESOLVED },
  { title: 'DISMISSED', of: ({ violationCounts }) => violationCounts.DISMISSED },
];

const counterColumns: Column<EntityCounter>[] = [
  { title: 'COUNTER', of: ({ name }) => name },
  {
    title: 'VALUE',
    of: ({ value, keyCount, why }) => value ?? (keyCount === null ? why : `${keyCount} keys`),
  },
  { title: 'WINDOW', of: ({ window }) => window },
  { title: 'SPLIT BY', of: ({ splitBy }) => splitBy },
  { title: 'POLICY', of: ({ policyName }) => policyName },
  { title: 'INTEGRATION', of: ({ integrationName }) => integrationName },
];

const kind = wordOption('--kind <kind>', 'what it is', entityKinds);
const owner = textOption('--owner <owner>', 'who answers for it');
const fieldsOfOptions = { metadata: { field: 'metadata', read: objectIn } };

export const addEntities = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'entities',
    alias: 'entity',
    summary: 'the people, teams, agents and services that sessions name',
    description: 'Governed entities: the people, teams, agents and services that sessions name by entityId.',
    examples: ['assize entities register "Night shift" --kind TEAM --owner Ada'],
    commands: [
      {
        name: 'list',
        summary: 'list registered entities, newest first',
        examples: ['assize entities list --kind TEAM'],
        options: [
          wordOption('--kind <kind>', 'only these', entityKinds),
          textOption('--owner <owner>', 'only those that somebody answers for'),
        ],
        request: 'GET /v1/entities',
        columns,
        none: 'There are no such entities.',
      },
      {
        name: 'show <entity>',
        summary: 'show an entity: its counters, and its sessions and violations in numbers',
        examples: ['assize entities show "Night shift"'],
        request: 'GET /v1/entities/{entities}',
        print,
      },
      {
        name: 'register <name>',
        summary: 'register an entity',
        examples: ['assize entities register "Night shift" --kind TEAM --owner ada@example.com'],
        options: [
          wordOption('--kind <kind>', 'what it is', entityKinds).makeOptionMandatory(),
          textOption('--id <id>', 'the entityId of its sessions; a new one when absent'),
          owner,
          textOption('--metadata <json>', 'a JSON object'),
        ],
        request: 'POST /v1/entities',
        fields: fieldsOfOptions,
        columns: fields,
      },
      {
        name: 'update <entity>',
        summary: 'change what is given; the rest stays',
        examples: ['assize entities update "Night shift" --owner bob@example.com'],
        options: [
          textOption('--name <name>', 'its new name'),
          kind,
          owner,
          textOption('--metadata <json>', 'a JSON object, in place of what it has'),
        ],
        request: 'PATCH /v1/entities/{entities}',
        fields: fieldsOfOptions,
        columns: fields,
      },
      {
        name: 'delete <entity>',
        summary: 'delete the registration; sessions and their record stay',
        examples: ['assize entities delete "Night shift"'],
        request: 'DELETE /v1/entities/{entities}',
        columns: fields,
      },
    ],
  });

/** The entity, then its counters. */
function print(entity: Entity, { out }: Call): void {
  out.record(entity, fields);
  if (out.json || entity.counters.length === 0) return;
  out.text('\n');
  out.list(entity.counters, counterColumns, '');
}

function objectIn(text: string): unknown {
  try {
    return parseForWriting(text);
  } catch {
    throw new Exit(exitCodes.wrongUse, '--metadata: must be a JSON object');
  }
}
