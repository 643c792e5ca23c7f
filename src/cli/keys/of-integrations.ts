import { path } from '../../client/http.ts';
import type {
  CreatedIntegrationKey,
  IntegrationKey,
  RotatedIntegrationKey,
} from '../../schemas/integration-keys.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { type PageOptions, printPage } from '../api/page.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Column } from '../output/table.ts';
import { once } from './once.ts';

const columns: Column<IntegrationKey>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'LAST FOUR', of: ({ lastFour }) => lastFour },
  { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'REVOKED', of: ({ revokedAt }) => revokedAt },
];
const createdFields: Column<CreatedIntegrationKey>[] = [
  ...(columns as Column<CreatedIntegrationKey>[]),
  { title: 'KEY', of: ({ apiKey }) => apiKey },
];

export async function listOfIntegration(
  call: Call<PageOptions & { operator?: string }>,
  integration: string,
): Promise<void> {
  const { page, size, operator } = call.options;
  if (operator !== undefined) throw new Exit(exitCodes.wrongUse, 'give --operator or --integration');
  const id = await idOf(call.http, 'integrations', integration);
  const request = { path: path`/v1/integrations/${id}/keys`, query: { page, size } };
  await printPage(call, request, columns, 'It has no keys.');
}

interface NewKey {
  operator?: string;
  name?: string;
  expiresAt?: string;
  ipRange?: string[];
  scope?: string[];
}

export async function createOfIntegration(
  { http, out, options }: Call<NewKey>,
  integration: string,
): Promise<void> {
  const { operator, name, expiresAt, ipRange, scope: scopes } = options;
  if (operator !== undefined || ipRange) {
    throw new Exit(exitCodes.wrongUse, '--operator and --ip-range do not go with --integration');
  }
  const id = await idOf(http, 'integrations', integration);
  const { data } = await http.send<CreatedIntegrationKey>({
    method: 'POST',
    path: path`/v1/integrations/${id}/keys`,
    json: { name, scopes, expiresAt },
  });
  out.record(data, createdFields);
  out.note(once);
}

export async function revokeOfIntegration({ http, out, args }: Call, integration: string): Promise<void> {
  const [id = ''] = args;
  const owner = await idOf(http, 'integrations', integration);
  const { data } = await http.send<IntegrationKey>({
    method: 'POST',
    path: path`/v1/integrations/${owner}/keys/${id}/revoke`,
  });
  out.record(data, columns);
}

export async function rotateOfIntegration(
  { http, out, options }: Call<{ expiresAt?: string; overlapHours?: number }>,
  integration: string,
  id: string,
): Promise<void> {
  const owner = await idOf(http, 'integrations', integration);
  const { data } = await http.send<RotatedIntegrationKey>({
    method: 'POST',
    path: path`/v1/integrations/${owner}/keys/${id}/rotate`,
    json: { expiresAt: options.expiresAt, overlapHours: options.overlapHours },
  });
  out.record(data, createdFields as Column<RotatedIntegrationKey>[]);
  out.note(`${once} The old one works until ${data.replaces.expiresAt}.`);
}
