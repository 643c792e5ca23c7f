import { path } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { Entity, EntityCounter, ListedEntity } from '../../schemas/entities.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';

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

export async function list(call: Call<PageOptions & { kind?: string; owner?: string }>): Promise<void> {
  const { page, size, kind, owner } = call.options;
  const request = { path: '/v1/entities', query: { page, size, kind, owner } };
  await printPage(call, request, columns, 'There are no such entities.');
}

/** The entity, then its counters. */
export async function show({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'entities', args[0]);
  const { data } = await http.send<Entity>({ method: 'GET', path: path`/v1/entities/${id}` });
  out.record(data, fields);
  if (out.json || data.counters.length === 0) return;
  out.text('\n');
  out.list(data.counters, counterColumns, '');
}

interface Given {
  id?: string;
  name?: string;
  kind?: string;
  owner?: string;
  metadata?: string;
}

export async function register({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const { id, kind, owner } = options;
  const json = { id, name, kind, owner, metadata: objectIn(options.metadata) };
  const { data } = await http.send<Entity>({ method: 'POST', path: '/v1/entities', json });
  out.record(data, fields);
}

export async function update({ http, out, options, args }: Call<Given>): Promise<void> {
  const { name, kind, owner } = options;
  const json = { name, kind, owner, metadata: objectIn(options.metadata) };
  if (Object.values(json).every((value) => value === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  }
  const id = await idOf(http, 'entities', args[0]);
  const { data } = await http.send<Entity>({ method: 'PATCH', path: path`/v1/entities/${id}`, json });
  out.record(data, fields);
}

export async function remove({ http, out, args }: Call): Promise<void> {
  const id = await idOf(http, 'entities', args[0]);
  out.record((await http.send<Entity>({ method: 'DELETE', path: path`/v1/entities/${id}` })).data, fields);
}

function objectIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseForWriting(text);
  } catch {
    throw new Exit(exitCodes.wrongUse, '--metadata: must be a JSON object');
  }
}
