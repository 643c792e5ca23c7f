import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { createNames, findNamed } from '../../cli/api/find.ts';

import { numberOption, textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun } from '../../cli/noun.ts';
import type { Column, Output } from '../../cli/output.ts';
import { path } from '../../client/http.ts';
import { termOptions, termsIn } from '../policies/cli.ts';
import { draftWarning, policyColumns } from '../policies/cli-columns.ts';
import type { Binding, Policy } from '../policies/schema.ts';
import type { Integration, IntegrationSettings } from './schema.ts';
import {
  afterRejections,
  contentRetentions,
  detectionSensitivities,
  integrationKinds,
  noPolicyDecisions,
  sessionScopes,
} from './words.ts';

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

const bindingFields: Column<Binding>[] = [
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

const bindingNames = { integrationId: 'integrations', policyId: 'policies' } as const;

const settingOptions = [
  textOption('--description <text>', 'description of the integration'),
  wordOption('--retain <what>', 'what is stored of inputs', contentRetentions),
  wordOption('--sensitivity <how>', 'how data is detected', detectionSensitivities),
  textOption('--disable-tag <tag...>', 'data tags to turn off'),
  textOption('--enable-tag <tag...>', 'opt-in data tags to turn on'),
  wordOption('--session-scope <which>', 'which MCP calls share a session', sessionScopes),
  wordOption('--require-session <yes>', 'refuse evaluations that name no session', ['true', 'false']),
  wordOption('--when-no-policy <what>', 'the decision when no enforced policy applies', noPolicyDecisions),
  wordOption(
    '--after-rejection <what>',
    'what an action gets that was rejected in its session',
    afterRejections,
  ),
  numberOption('--max-pending-reviews <n>', 'reviews that may be PENDING at once', [1, 1_000_000]),
  numberOption('--max-pending-reviews-in-session <n>', 'the same for one session', [1, 1_000_000]),
  numberOption('--max-open-sessions <n>', 'sessions that may be ACTIVE at once', [1, 10_000_000]),
  numberOption('--max-bytes-per-day <n>', 'bytes that may be stored in a day of UTC', [1, 1_000_000_000_000]),
  textOption('--no-quotas', 'back to the defaults: 1000 reviews, 20 in a session, no other quota'),
  numberOption('--requests-per-minute <n>', 'rate limit; 0 means no limit', [0, 100_000_000]),
];

export const addIntegrations = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'integrations',
    alias: 'integration',
    summary: 'manage integrations, their settings and their policies',
    description:
      'Integrations are the applications that send actions for evaluation. Name one by its id, or by its name if that is unique.',
    examples: [
      'assize integrations create "support agent" --kind AGENT',
      'assize integrations bind demo runaway-agents',
    ],
    commands: [
      {
        name: 'list',
        summary: 'list integrations, newest first',
        examples: ['assize integrations list'],
        request: 'GET /v1/integrations',
        columns,
        none: 'There are no integrations.',
      },
      {
        name: 'show <integration>',
        summary: 'show an integration and its settings',
        examples: ['assize integrations show demo'],
        request: 'GET /v1/integrations/{integrations}',
        print,
      },
      {
        name: 'create <name>',
        summary: 'create an integration; its key is shown only once',
        examples: [
          'assize integrations create "support agent" --kind AGENT',
          'assize integrations create gateway --kind MCP_SERVER --retain none --json',
        ],
        options: [
          wordOption('--kind <kind>', 'what it is', integrationKinds).makeOptionMandatory(),
          textOption('--key-expires-at <time>', 'when its key expires, such as 2030-01-31T12:00:00Z'),
          keyOnlyOption,
          textOption('--same-name', 'create it although another one has this name'),
          ...settingOptions,
        ],
        before: nameIsFree,
        request: 'POST /v1/integrations',
        body: (given: Given) => ({
          kind: given.kind,
          apiKeyExpiresAt: given.keyExpiresAt,
          ...changesOf(given),
        }),
        print: printCreated,
      },
      {
        name: 'update <integration>',
        summary: 'change the given fields',
        examples: ['assize integrations update demo --retain none --requests-per-minute 600'],
        options: [textOption('--name <name>', 'its new name'), ...settingOptions],
        request: 'PATCH /v1/integrations/{integrations}',
        body: (given: Given) => ({
          ...(given.name !== undefined && { name: given.name }),
          ...changesOf(given),
        }),
        print,
      },
      {
        name: 'delete <integration>',
        summary: 'delete an integration: its key is refused at once, its record stays',
        examples: ['assize integrations delete demo'],
        request: 'DELETE /v1/integrations/{integrations}',
        columns: integrationFields,
        note: 'Deleted: its keys are refused from now on, and its record stays.',
      },
      {
        name: 'policies <integration>',
        summary: 'list the policies that are bound to it',
        examples: ['assize integrations policies demo'],
        request: 'GET /v1/integrations/{integrations}/policies',
        columns: policyColumns,
        none: 'No policy is bound to it.',
      },
      {
        name: 'bind <integration> <policy>',
        summary: 'bind a policy to an integration, or change the binding',
        examples: [
          'assize integrations bind demo runaway-agents',
          'assize integrations bind demo spending-limits --param currency=EUR --param perDay=5000 --mode monitor',
        ],
        options: termOptions,
        request: 'PUT /v1/integrations/{integrations}/policies/{policies}',
        body: termsIn,
        print: printBinding,
      },
      {
        name: 'unbind <integration> <policy>',
        summary: 'unbind a policy from an integration',
        examples: ['assize integrations unbind demo runaway-agents'],
        request: 'DELETE /v1/integrations/{integrations}/policies/{policies}',
        columns: bindingFields,
        names: bindingNames,
        note: 'Unbound: the policy no longer decides for it.',
      },
    ],
  });

/** Refuses a name that is taken: of two with one name, commands could name neither. */
async function nameIsFree({ http, options, args: [name = ''] }: Call<{ sameName?: boolean }>): Promise<void> {
  if (options.sameName) return;
  const [taken] = await findNamed(http, 'integrations', name);
  if (taken === undefined) return;
  throw new Exit(
    exitCodes.failed,
    `the integration ${taken.id} is named ${JSON.stringify(name)}: choose another name, or add --same-name`,
  );
}

/** Says so when the policy that was bound decides nothing yet. */
async function printBinding(binding: Binding, { http, out }: Call): Promise<void> {
  if (out.json) return out.record(binding, bindingFields);
  const { integrationId, policyId } = binding;
  const { data } = await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${policyId}` });
  const integration = await createNames(http).nameOf('integrations', integrationId);
  out.record({ ...binding, integrationId: integration, policyId: data.name }, bindingFields);
  if (data.status === 'DRAFT') out.warn(draftWarning(data));
}

function print(integration: Integration, { out }: Call): void {
  out.record(integration, integrationFields);
  warnOf(out, integration);
}

/** For a shell that stores the key: `KEY=$(assize … --key-only)`. */
export const keyOnlyOption = textOption('--key-only', 'print only the key');

function printCreated(integration: Created, { out, options }: Call<{ keyOnly?: boolean }>): void {
  if (options.keyOnly) out.text(`${integration.apiKey}\n`);
  else {
    out.record<Created>(integration, [
      ...(integrationFields as Column<Created>[]),
      { title: 'API KEY', of: ({ apiKey }) => apiKey },
      { title: 'WEBHOOK SECRET', of: ({ webhookSecret }) => webhookSecret },
    ]);
    out.note('The key and the secret are shown only once: store them.');
  }
  warnOf(out, integration);
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
