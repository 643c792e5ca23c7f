import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, numberOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import type { Column, Output } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import { bodyOf, type Terms, withTerms } from '../policies/cli-bindings.ts';
import { policyColumns } from '../policies/cli-columns.ts';
import type { Binding } from '../policies/schema.ts';
import type { Integration, IntegrationSettings } from './schema.ts';
import {
  afterRejections,
  contentRetentions,
  detectionSensitivities,
  integrationKinds,
  noPolicyDecisions,
  sessionScopes,
} from './words.ts';

const which = '<integration>';

export function addIntegrations(program: Command, io: Io): void {
  const integrations = program
    .command('integrations')
    .alias('integration')
    .summary('manage integrations, their settings and their policies')
    .description(
      'Integrations are the applications that send actions for evaluation. Name one by its id, or by its name if that is unique.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize integrations create "support agent" --kind AGENT',
        'assize integrations bind demo runaway-agents',
      ]),
    );

  addPaging(
    addApiCommand(
      integrations,
      io,
      { name: 'list', summary: 'list integrations, newest first', examples: ['assize integrations list'] },
      async () => list,
    ),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `show ${which}`,
      summary: 'show an integration and its settings',
      examples: ['assize integrations show demo'],
    },
    async () => show,
  );
  settingOptions(
    addApiCommand(
      integrations,
      io,
      {
        name: 'create <name>',
        summary: 'create an integration; its key is shown only once',
        examples: [
          'assize integrations create "support agent" --kind AGENT',
          'assize integrations create gateway --kind MCP_SERVER --retain none --json',
        ],
      },
      async () => create,
    )
      .addOption(wordOption('--kind <kind>', 'what it is', integrationKinds).makeOptionMandatory())
      .option('--key-expires-at <time>', 'when its key expires, such as 2030-01-31T12:00:00Z'),
  );
  settingOptions(
    addApiCommand(
      integrations,
      io,
      {
        name: `update ${which}`,
        summary: 'change the given fields',
        examples: ['assize integrations update demo --retain none --requests-per-minute 600'],
      },
      async () => update,
    ).option('--name <name>', 'its new name'),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `delete ${which}`,
      summary: 'delete an integration: its key is refused at once, its record stays',
      examples: ['assize integrations delete demo'],
    },
    async () => remove,
  );
  addBindings(integrations, io);
}

function addBindings(integrations: Command, io: Io): void {
  addPaging(
    addApiCommand(
      integrations,
      io,
      {
        name: `policies ${which}`,
        summary: 'list the policies that are bound to it',
        examples: ['assize integrations policies demo'],
      },
      async () => listBound,
    ),
  );
  withTerms(
    addApiCommand(
      integrations,
      io,
      {
        name: `bind ${which} <policy>`,
        summary: 'bind a policy to an integration, or change the binding',
        examples: [
          'assize integrations bind demo runaway-agents',
          'assize integrations bind demo spending-limits --param currency=EUR --param perDay=5000 --mode monitor',
        ],
      },
      async () => bind,
    ),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `unbind ${which} <policy>`,
      summary: 'unbind a policy from an integration',
      examples: ['assize integrations unbind demo runaway-agents'],
    },
    async () => unbind,
  );
}

const settingOptions = (command: Command): Command =>
  command
    .option('--description <text>', 'description of the integration')
    .addOption(wordOption('--retain <what>', 'what is stored of inputs', contentRetentions))
    .addOption(wordOption('--sensitivity <how>', 'how data is detected', detectionSensitivities))
    .option('--disable-tag <tag...>', 'data tags to turn off')
    .option('--enable-tag <tag...>', 'opt-in data tags to turn on')
    .addOption(wordOption('--session-scope <which>', 'which MCP calls share a session', sessionScopes))
    .addOption(
      wordOption('--require-session <yes>', 'refuse evaluations that name no session', ['true', 'false']),
    )
    .addOption(
      wordOption(
        '--when-no-policy <what>',
        'the decision when no enforced policy applies',
        noPolicyDecisions,
      ),
    )
    .addOption(
      wordOption(
        '--after-rejection <what>',
        'what an action gets that was rejected in its session',
        afterRejections,
      ),
    )
    .addOption(
      numberOption('--max-pending-reviews <n>', 'reviews that may be PENDING at once', [1, 1_000_000]),
    )
    .addOption(
      numberOption('--max-pending-reviews-in-session <n>', 'the same for one session', [1, 1_000_000]),
    )
    .addOption(
      numberOption('--max-open-sessions <n>', 'sessions that may be ACTIVE at once', [1, 10_000_000]),
    )
    .addOption(
      numberOption(
        '--max-bytes-per-day <n>',
        'bytes that may be stored in a day of UTC',
        [1, 1_000_000_000_000],
      ),
    )
    .option('--no-quotas', 'back to the defaults: 1000 reviews, 20 in a session, no other quota')
    .addOption(numberOption('--requests-per-minute <n>', 'rate limit; 0 means no limit', [0, 100_000_000]));

const columns: Column<Integration>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'KEY BEGINS', of: ({ apiKeyPrefix }) => apiKeyPrefix },
  { title: 'KEY EXPIRES', of: ({ apiKeyExpiresAt }) => apiKeyExpiresAt },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];

export const integrationFields: Column<Integration>[] = [
  ...columns,
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
  { title: 'DELETED', of: ({ deletedAt }) => deletedAt },
  { title: 'DESCRIPTION', of: ({ description }) => description },
  { title: 'RETAINS', of: ({ settings }) => settings.contentRetention },
  { title: 'SENSITIVITY', of: ({ settings }) => settings.detectionSensitivity },
  { title: 'DISABLED TAGS', of: ({ settings }) => settings.disabledTags.join(', ') },
  { title: 'ENABLED TAGS', of: ({ settings }) => settings.enabledTags.join(', ') },
  { title: 'SESSION SCOPE', of: ({ settings }) => settings.sessionScope },
  { title: 'REQUIRES A SESSION', of: ({ settings }) => (settings.requireSession ? 'yes' : 'no') },
  { title: 'WITHOUT A POLICY', of: ({ settings }) => settings.whenNoPolicy },
  { title: 'AFTER A REJECTION', of: ({ settings }) => settings.afterRejection },
  { title: 'PENDING REVIEWS AT MOST', of: ({ settings }) => settings.maxPendingReviews },
  { title: 'IN ONE SESSION', of: ({ settings }) => settings.maxPendingReviewsInSession },
  { title: 'OPEN SESSIONS AT MOST', of: ({ settings }) => settings.maxOpenSessions },
  { title: 'BYTES A DAY AT MOST', of: ({ settings }) => settings.maxBytesPerDay },
  { title: 'REQUESTS A MINUTE', of: ({ settings }) => settings.requestsPerMinute },
];

async function list(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  await printPage(
    call,
    { path: '/v1/integrations', query: { page, size } },
    columns,
    'There are no integrations.',
  );
}

async function show({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({ method: 'GET', path: path`/v1/integrations/${id}` });
  out.record(data, integrationFields);
  warnOf(out, data);
}

function warnOf(out: Output, { warnings }: Integration): void {
  for (const { message } of warnings) out.warn(`warning: ${message}`);
}

interface Given {
  kind?: string;
  name?: string;
  description?: string;
  keyExpiresAt?: string;
  retain?: string;
  sensitivity?: string;
  disableTag?: string[];
  enableTag?: string[];
  sessionScope?: string;
  requireSession?: 'true' | 'false';
  whenNoPolicy?: string;
  afterRejection?: string;
  maxPendingReviews?: number;
  maxPendingReviewsInSession?: number;
  maxOpenSessions?: number;
  maxBytesPerDay?: number;
  /** False with --no-quotas. */
  quotas?: boolean;
  requestsPerMinute?: number;
}
type Created = Integration & { apiKey: string; webhookSecret: string };

async function create({ http, out, options, args: [name] }: Call<Given>): Promise<void> {
  const json = { name, kind: options.kind, apiKeyExpiresAt: options.keyExpiresAt, ...changesOf(options) };
  const { data } = await http.send<Created>({ method: 'POST', path: '/v1/integrations', json });
  out.record<Created>(data, [
    ...(integrationFields as Column<Created>[]),
    { title: 'API KEY', of: ({ apiKey }) => apiKey },
    { title: 'WEBHOOK SECRET', of: ({ webhookSecret }) => webhookSecret },
  ]);
  out.note('The key and the secret are shown only once: store them.');
  warnOf(out, data);
}

async function update({ http, out, options, args: [given] }: Call<Given>): Promise<void> {
  const json = { ...(options.name !== undefined && { name: options.name }), ...changesOf(options) };
  if (Object.keys(json).length === 0)
    throw new Exit(exitCodes.wrongUse, 'give at least one option to change');
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({
    method: 'PATCH',
    path: path`/v1/integrations/${id}`,
    json,
  });
  out.record(data, integrationFields);
  warnOf(out, data);
}

async function remove({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'integrations', given);
  const { data } = await http.send<Integration>({ method: 'DELETE', path: path`/v1/integrations/${id}` });
  out.record(data, integrationFields);
  out.note('Its key is refused from now on.');
}

function changesOf(given: Given): { description?: string; settings?: Partial<IntegrationSettings> } {
  const settings = defined({
    contentRetention: given.retain,
    detectionSensitivity: given.sensitivity,
    disabledTags: given.disableTag,
    enabledTags: given.enableTag,
    sessionScope: given.sessionScope,
    requireSession: given.requireSession && given.requireSession === 'true',
    whenNoPolicy: given.whenNoPolicy,
    afterRejection: given.afterRejection,
    ...(given.quotas === false && {
      maxPendingReviews: null,
      maxPendingReviewsInSession: null,
      maxOpenSessions: null,
      maxBytesPerDay: null,
    }),
    ...defined({
      maxPendingReviews: given.maxPendingReviews,
      maxPendingReviewsInSession: given.maxPendingReviewsInSession,
      maxOpenSessions: given.maxOpenSessions,
      maxBytesPerDay: given.maxBytesPerDay,
    }),
    requestsPerMinute: given.requestsPerMinute,
  });
  return {
    ...(given.description !== undefined && { description: given.description }),
    ...(Object.keys(settings).length > 0 && { settings: settings as Partial<IntegrationSettings> }),
  };
}

const defined = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

const bindingFields: Column<Binding>[] = [
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

async function listBound(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'integrations', call.args[0]);
  const request = { path: path`/v1/integrations/${id}/policies`, query: { page, size } };
  await printPage(call, request, policyColumns, 'No policy is bound to it.');
}

const bind = (call: Call<Terms>): Promise<void> => change(call, { method: 'PUT', ...bodyOf(call.options) });

const unbind = (call: Call): Promise<void> => change(call, { method: 'DELETE' });

async function change(
  { http, out, args }: Pick<Call, 'http' | 'out' | 'args'>,
  request: { method: 'PUT' | 'DELETE'; json?: object },
): Promise<void> {
  const integration = await idOf(http, 'integrations', args[0]);
  const policy = await idOf(http, 'policies', args[1]);
  const { data } = await http.send<Binding>({
    ...request,
    path: path`/v1/integrations/${integration}/policies/${policy}`,
  });
  out.record(data, bindingFields);
}
