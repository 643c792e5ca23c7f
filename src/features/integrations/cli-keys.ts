import { type Command, Option } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { everyOne, idOf } from '../../cli/api/find.ts';
import { numberOption, textOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun, type PageOptions, pagingOptions, printPage } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { type Http, path } from '../../client/http.ts';
import type { CreatedOperatorKey, OperatorKey } from '../operators/schema.ts';
import { integrationFields, keyOnlyOption } from './cli.ts';
import type { CreatedIntegrationKey, Integration, IntegrationKey, RotatedIntegrationKey } from './schema.ts';
import { keyScopes } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export const addKeys = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'keys',
    alias: 'key',
    summary: 'manage keys of operators, and replace keys of integrations',
    description:
      'Keys are shown once, when they are created, and stored as hashes: a lost key can only be replaced. If the last key of an owner is lost, create another one with --database.',
    examples: ['assize keys create', 'assize keys rotate demo'],
    commands: [
      {
        name: 'list',
        summary: 'list the keys of operators, or of an integration, newest first',
        examples: ['assize keys list', 'assize keys list --integration demo'],
        options: [
          ...pagingOptions(),
          textOption('--operator <operator>', 'only those of an operator'),
          textOption('--integration <integration>', 'those of an integration instead'),
        ],
        act: list,
      },
      {
        name: 'create',
        summary: 'create a key of an operator, or of an integration; it is shown only once',
        examples: [
          'assize keys create --operator "Ada Lovelace" --name laptop --ip-range 127.0.0.0/8',
          'assize keys create --integration demo --name dashboard --scope read',
          'assize keys create --database data/assize.db',
        ],
        options: [
          textOption(
            '--operator <operator>',
            'owner of the key; by default you, or the first owner when working on a database',
          ),
          textOption('--integration <integration>', 'of an integration instead'),
          new Option(
            '--scope <scope...>',
            'what the key of an integration may do; everything when absent',
          ).choices(keyScopes),
          textOption('--name <name>', 'what the key is for'),
          textOption('--expires-at <time>', 'when it expires, such as 2030-01-31T12:00:00Z'),
          textOption(
            '--ip-range <range...>',
            'addresses and CIDR ranges that the key of an operator may be used from',
          ),
          keyOnlyOption,
        ],
        act: create,
      },
      {
        name: 'revoke <id>',
        summary: 'revoke a key of an operator, or of an integration; the last one of an owner stays',
        examples: [`assize keys revoke ${someId}`, `assize keys revoke ${someId} --integration demo`],
        options: [
          textOption('--integration <integration>', 'whose key it is, when it is that of an integration'),
        ],
        act: revoke,
      },
      {
        name: 'rotate [integration] [id]',
        summary:
          'replace the operator key in use, or the keys of an integration at once; or one of them by its id, which goes on for a while',
        examples: [
          'assize keys rotate demo',
          `assize keys rotate demo ${someId} --overlap-hours 24`,
          'assize keys rotate',
        ],
        options: [
          numberOption('--overlap-hours <n>', 'for how long the old key goes on; 24 when absent', [0, 168]),
          textOption('--expires-at <time>', 'when the new key expires, such as 2030-01-31T12:00:00Z'),
        ],
        act: rotate,
      },
    ],
  });

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

async function list(call: Call<PageOptions & { operator?: string; integration?: string }>): Promise<void> {
  if (call.options.integration !== undefined) return listOfIntegration(call, call.options.integration);
  const { page, size, operator } = call.options;
  const query = { page, size, operatorId: await operatorOf(call.http, operator) };
  const names = { operatorId: 'operators' } as const;
  await printPage(call, { path: '/v1/operator-keys', query }, { columns, none: 'There are no keys.', names });
}

interface NewKey {
  operator?: string;
  name?: string;
  expiresAt?: string;
  ipRange?: string[];
  integration?: string;
  scope?: string[];
  keyOnly?: boolean;
}

async function create(call: Call<NewKey>): Promise<void> {
  const { http, out, options } = call;
  if (options.integration !== undefined) return createOfIntegration(call, options.integration);
  if (options.scope) throw new Exit(exitCodes.wrongUse, '--scope goes with --integration');
  const { operator, name, expiresAt, ipRange: ipRanges } = options;
  const { data } = await http.send<CreatedOperatorKey>({
    method: 'POST',
    path: '/v1/operator-keys',
    json: { operatorId: await operatorOf(http, operator), name, expiresAt, ipRanges },
  });
  if (options.keyOnly) return out.text(`${data.key}\n`);
  out.record(data, createdFields);
  out.note(once);
}

async function revoke(call: Call<{ integration?: string }>): Promise<void> {
  const { http, out, options } = call;
  if (options.integration !== undefined) return revokeOfIntegration(call, options.integration);
  const [id = ''] = call.args;
  const { data } = await http.send<OperatorKey>({
    method: 'POST',
    path: path`/v1/operator-keys/${id}/revoke`,
  });
  out.record(data, columns);
}

async function rotate(call: Call<{ expiresAt?: string; overlapHours?: number }>): Promise<void> {
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

const integrationKeyColumns: Column<IntegrationKey>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'LAST FOUR', of: ({ lastFour }) => lastFour },
  { title: 'SCOPES', of: ({ scopes }) => scopes.join(', ') },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'REVOKED', of: ({ revokedAt }) => revokedAt },
];
const createdIntegrationKeyFields: Column<CreatedIntegrationKey>[] = [
  ...(integrationKeyColumns as Column<CreatedIntegrationKey>[]),
  { title: 'KEY', of: ({ apiKey }) => apiKey },
];

async function listOfIntegration(
  call: Call<PageOptions & { operator?: string }>,
  integration: string,
): Promise<void> {
  const { page, size, operator } = call.options;
  if (operator !== undefined) throw new Exit(exitCodes.wrongUse, 'give --operator or --integration');
  const id = await idOf(call.http, 'integrations', integration);
  const request = { path: path`/v1/integrations/${id}/keys`, query: { page, size } };
  await printPage(call, request, { columns: integrationKeyColumns, none: 'It has no keys.' });
}

interface NewIntegrationKey {
  operator?: string;
  name?: string;
  expiresAt?: string;
  ipRange?: string[];
  scope?: string[];
  keyOnly?: boolean;
}

async function createOfIntegration(
  { http, out, options }: Call<NewIntegrationKey>,
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
  if (options.keyOnly) return out.text(`${data.apiKey}\n`);
  out.record(data, createdIntegrationKeyFields);
  out.note(once);
}

async function revokeOfIntegration({ http, out, args }: Call, integration: string): Promise<void> {
  const [id = ''] = args;
  const owner = await idOf(http, 'integrations', integration);
  const { data } = await http.send<IntegrationKey>({
    method: 'POST',
    path: path`/v1/integrations/${owner}/keys/${id}/revoke`,
  });
  out.record(data, integrationKeyColumns);
}

async function rotateOfIntegration(
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
  out.record(data, createdIntegrationKeyFields as Column<RotatedIntegrationKey>[]);
  out.note(`${once} The old one works until ${data.replaces.expiresAt}.`);
}

const once = 'The key is shown only once: store it.';
