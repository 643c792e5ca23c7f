import { type Http, path } from '../../client/http.ts';
import type { CreatedOperatorKey, OperatorKey } from '../../features/operators/schema.ts';
import type { Integration } from '../../schemas/integrations.ts';
import type { Call } from '../api/call.ts';
import { everyOne, idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import { integrationFields } from '../integrations/commands.ts';
import type { Column } from '../output/table.ts';
import {
  createOfIntegration,
  listOfIntegration,
  revokeOfIntegration,
  rotateOfIntegration,
} from './of-integrations.ts';
import { once } from './once.ts';

const columns: Column<OperatorKey>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'LAST FOUR', of: ({ lastFour }) => lastFour },
  { title: 'OPERATOR', of: ({ operatorId }) => operatorId },
  { title: 'IN USE HERE', of: ({ current }) => (current ? 'yes' : '') },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'FROM', of: ({ ipRanges }) => ipRanges.join(', ') },
  { title: 'REVOKED', of: ({ revokedAt }) => revokedAt },
];
const createdFields: Column<CreatedOperatorKey>[] = [
  ...(columns as Column<CreatedOperatorKey>[]),
  { title: 'KEY', of: ({ key }) => key },
];

const operatorOf = async (http: Http, given: string | undefined): Promise<string | undefined> =>
  given === undefined ? undefined : idOf(http, 'operators', given);

export async function list(
  call: Call<PageOptions & { operator?: string; integration?: string }>,
): Promise<void> {
  if (call.options.integration !== undefined) return listOfIntegration(call, call.options.integration);
  const { page, size, operator } = call.options;
  const query = { page, size, operatorId: await operatorOf(call.http, operator) };
  await printPage(call, { path: '/v1/operator-keys', query }, columns, 'There are no keys.');
}

interface NewKey {
  operator?: string;
  name?: string;
  expiresAt?: string;
  ipRange?: string[];
  integration?: string;
  scope?: string[];
}

export async function create(call: Call<NewKey>): Promise<void> {
  const { http, out, options } = call;
  if (options.integration !== undefined) return createOfIntegration(call, options.integration);
  if (options.scope) throw new Exit(exitCodes.wrongUse, '--scope goes with --integration');
  const { operator, name, expiresAt, ipRange: ipRanges } = options;
  const { data } = await http.send<CreatedOperatorKey>({
    method: 'POST',
    path: '/v1/operator-keys',
    json: { operatorId: await operatorOf(http, operator), name, expiresAt, ipRanges },
  });
  out.record(data, createdFields);
  out.note(once);
}

export async function revoke(call: Call<{ integration?: string }>): Promise<void> {
  const { http, out, options } = call;
  if (options.integration !== undefined) return revokeOfIntegration(call, options.integration);
  const [id = ''] = call.args;
  const { data } = await http.send<OperatorKey>({
    method: 'POST',
    path: path`/v1/operator-keys/${id}/revoke`,
  });
  out.record(data, columns);
}

export async function rotate(call: Call<{ expiresAt?: string; overlapHours?: number }>): Promise<void> {
  const [given, keyId] = call.args;
  if (given !== undefined && keyId !== undefined) return rotateOfIntegration(call, given, keyId);
  if (call.options.overlapHours !== undefined) {
    throw new Exit(
      exitCodes.wrongUse,
      '--overlap-hours goes with the id of a key: assize keys list --integration',
    );
  }
  if (given === undefined) return rotateOwn(call);
  const { http, out, options } = call;
  const id = await idOf(http, 'integrations', given);
  type Rotated = Integration & { apiKey: string };
  const { data } = await http.send<Rotated>({
    method: 'POST',
    path: path`/v1/integrations/${id}/regenerate-key`,
    json: { ...(options.expiresAt !== undefined && { apiKeyExpiresAt: options.expiresAt }) },
  });
  out.record<Rotated>(data, [
    ...(integrationFields as Column<Rotated>[]),
    { title: 'API KEY', of: ({ apiKey }) => apiKey },
  ]);
  out.note(once);
}

/** The new key is shown before the old one is revoked: at no moment is there none. */
async function rotateOwn({ http, out, options }: Call<{ expiresAt?: string }>): Promise<void> {
  let own: OperatorKey | undefined;
  for await (const key of everyOne<OperatorKey>(http, '/v1/operator-keys')) if (key.current) own = key;
  if (!own) {
    throw new Exit(
      exitCodes.wrongUse,
      'on the database no key is in use: name an integration, or create one and revoke the other by its id',
    );
  }
  // The new one may be used from where the old one may, and no longer unless this says so.
  const { operatorId: operator, name, expiresAt, ipRanges } = own;
  const next = { operator, name, expiresAt: options.expiresAt ?? expiresAt ?? undefined, ipRange: ipRanges };
  await create({ http, out, options: next as NewKey, args: [] });
  await http.send({ method: 'POST', path: path`/v1/operator-keys/${own.id}/revoke` });
  out.note(`The key ${own.id}, which this was done with, is revoked.`);
}
