import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, numberOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import type { SessionGrant } from '../../schemas/grants.ts';
import { tail } from './cli-tail.ts';
import type {
  EndedEvaluationSession,
  EvaluationSession,
  ListedEvaluationSession,
  RecentAction,
} from './schema.ts';
import { endStatuses, sessionStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addSessions(program: Command, io: Io): void {
  const sessions = program
    .command('sessions')
    .alias('session')
    .summary('list and follow what agents did')
    .description(
      'Evaluation sessions show what agents did. An operator sees all sessions, an integration only its own.',
    )
    .addHelpText('after', examplesText(['assize sessions list --status ACTIVE', 'assize sessions tail']));
  addPaging(
    addApiCommand(
      sessions,
      io,
      {
        name: 'list',
        summary: 'list sessions, newest first',
        examples: ['assize sessions list', 'assize sessions list --status ACTIVE --integration demo'],
      },
      async () => list,
    ),
  )
    .addOption(wordOption('--status <status>', 'only these', sessionStatuses))
    .option('--integration <integration>', 'only those of an integration')
    .option('--entity <id>', 'only those of a governed entity')
    .option('--external-id <text>', 'only sessions with this externalSessionId')
    .option('--parent <id>', 'only those opened below a session');
  addApiCommand(
    sessions,
    io,
    {
      name: 'show <id>',
      summary: 'show a session, its labels and grants, and what was done in it',
      examples: [`assize sessions show ${someId}`],
    },
    async () => show,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'end <id>',
      summary: 'end a session and those below it: further actions in them are refused',
      examples: [`assize sessions end ${someId}`, `assize sessions end ${someId} --status TERMINATED`],
    },
    async () => end,
  ).addOption(wordOption('--status <status>', 'how it ended (default COMPLETED)', endStatuses));
  addApiCommand(
    sessions,
    io,
    {
      name: 'remove-label <id> <label>',
      summary: 'take a label from a session',
      examples: [`assize sessions remove-label ${someId} UNTRUSTED`],
    },
    async () => removeLabel,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'remove-grant <id> <grant>',
      summary: 'take a grant back: what it would have let through is held again',
      examples: [`assize sessions remove-grant ${someId} 01980000-0000-7000-8000-000000000001`],
    },
    async () => removeGrant,
  );
  addApiCommand(
    sessions,
    io,
    {
      name: 'tail [id]',
      summary: 'follow evaluations of one session or of all, until Ctrl-C',
      examples: [
        'assize sessions tail',
        `assize sessions tail ${someId} --last 20`,
        'assize sessions tail --json',
      ],
    },
    async () => tail,
  )
    .addOption(numberOption('--last <n>', 'number of past evaluations to show first (default 10)', [0, 200]))
    .option('--no-follow', 'exit instead of waiting for new ones');
}

const columns: Column<ListedEvaluationSession | EvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
  { title: 'WARNED', of: ({ warningCount }) => warningCount },
  { title: 'HELD', of: ({ reviewCount }) => reviewCount },
  { title: 'REJECTED', of: ({ rejectionCount }) => rejectionCount },
  { title: 'BLOCKED', of: ({ blockCount }) => blockCount },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'STARTED', of: ({ startedAt }) => startedAt },
];

const fields: Column<EvaluationSession>[] = [
  ...columns,
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'EXTERNAL ID', of: ({ externalSessionId }) => externalSessionId },
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'PARENT', of: ({ parentSessionId }) => parentSessionId },
  { title: 'CONTINUES', of: ({ previousSessionId }) => previousSessionId },
  { title: 'LABELS', of: ({ labels }) => labels.join(', ') },
  {
    title: 'TOOLS (LET THROUGH/ATTEMPTS)',
    of: ({ attemptCounts, toolCounts }) =>
      Object.entries(attemptCounts)
        .map(([tool, attempts]) => `${tool} (${toolCounts[tool] ?? 0}/${attempts})`)
        .join(', '),
  },
  { title: 'METADATA', of: ({ metadata }) => JSON.stringify(metadata) },
];

const endedFields: Column<EndedEvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
];

const actionColumns: Column<RecentAction>[] = [
  { title: 'SEQ', of: ({ seq }) => seq },
  { title: 'AT', of: ({ at }) => at },
  { title: 'ACTION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool, targetKey }) => tool ?? targetKey },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
];

const grantColumns: Column<SessionGrant>[] = [
  { title: 'GRANT', of: ({ id }) => id },
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'USES LEFT', of: ({ usesLeft }) => usesLeft ?? 'any' },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt ?? 'with the session' },
  { title: 'REVIEW', of: ({ reviewRequestId }) => reviewRequestId },
];

interface Filter extends PageOptions {
  status?: string;
  integration?: string;
  entity?: string;
  externalId?: string;
  parent?: string;
}

async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, integration, entity, externalId, parent } = call.options;
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const query = {
    page,
    size,
    status,
    integrationId,
    entityId: entity,
    externalSessionId: externalId,
    parentSessionId: parent,
  };
  await printPage(call, { path: '/v1/evaluation-sessions', query }, columns, 'There are no such sessions.');
}

/** The session, then its open grants, then its latest actions in the order they were done. */
async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<EvaluationSession>({
    method: 'GET',
    path: path`/v1/evaluation-sessions/${id}`,
  });
  out.record(data, fields);
  if (out.json) return;
  if (data.grants.length > 0) {
    out.text('\n');
    out.list(data.grants, grantColumns, '');
  }
  if (data.recentActions.length > 0) {
    out.text('\n');
    out.list(data.recentActions.toReversed(), actionColumns, '');
  }
}

async function end({ http, out, args: [id = ''], options }: Call<{ status?: string }>): Promise<void> {
  const { data } = await http.send<EndedEvaluationSession>({
    method: 'POST',
    path: path`/v1/evaluation-sessions/${id}/end`,
    json: { status: options.status },
  });
  out.record(data, endedFields);
}

const removeLabel = (call: Call): Promise<void> => remove(call, 'remove-label', 'label');
const removeGrant = (call: Call): Promise<void> => remove(call, 'remove-grant', 'grantId');

async function remove({ http, out, args: [id = '', given] }: Call, verb: string, field: string) {
  const at = `${path`/v1/evaluation-sessions/${id}`}/${verb}`;
  const { data } = await http.send<EvaluationSession>({ method: 'POST', path: at, json: { [field]: given } });
  out.record(data, fields);
}
