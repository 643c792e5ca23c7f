import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, numberOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import type { Column } from '../../cli/output/output.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { ReviewGrant } from '../../schemas/grants.ts';
import { severities } from '../../schemas/words.ts';
import type { BulkDecision, Review, ReviewComment, ReviewStatistics } from './schema.ts';
import { reviewReasons, reviewStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

export function addReviews(program: Command, io: Io): void {
  const reviews = program
    .command('reviews')
    .alias('review')
    .summary('held actions that wait for a decision')
    .description('Reviews are held actions that wait for a decision by a person.')
    .addHelpText('after', examplesText(['assize reviews list --status PENDING']));
  addPaging(
    addApiCommand(
      reviews,
      io,
      {
        name: 'list',
        summary: 'list reviews, newest first',
        examples: ['assize reviews list --status PENDING'],
      },
      async () => list,
    ),
  )
    .addOption(wordOption('--status <status>', 'only these', reviewStatuses))
    .option('--session <id>', 'only those of a session')
    .option('--integration <integration>', 'only those of an integration')
    .option('--tool <tool>', 'only those of a tool')
    .addOption(wordOption('--severity <severity>', 'only those of a severity', severities))
    .option(
      '--assignee <operator>',
      'only reviews claimed by the operator with this id, by `me`, or by `none`',
    )
    .addOption(
      numberOption('--older-than <minutes>', 'only reviews held for at least this long', [0, 1_000_000]),
    );
  addApiCommand(
    reviews,
    io,
    {
      name: 'show <id>',
      summary: 'show a review, with the stored content of the action',
      examples: ['assize reviews show 01980000-0000-7000-8000-000000000000'],
    },
    async () => show,
  );
  for (const [verb, summary, act] of [
    ['approve', 'approve the held action', approve],
    ['reject', 'reject the held action', reject],
  ] as const) {
    const command = addApiCommand(
      reviews,
      io,
      {
        name: `${verb} <id...>`,
        summary,
        examples: [`assize reviews ${verb} 01980000-0000-7000-8000-000000000000 --comment "asked Ada"`],
      },
      async () => act,
    )
      .option('--comment <text>', 'comment for the agent')
      .addOption(wordOption('--reason <reason>', 'reason as a code', reviewReasons))
      .option(
        '--evaluation <id>',
        'the EVALUATION that the review showed; refused if the action was tried again since',
      );
    if (verb === 'approve')
      command.option('--once', 'approve this action alone, without the grants of the review');
  }
  const add = (name: string, summary: string, example: string, act: (call: Call) => Promise<void>): Command =>
    addApiCommand(reviews, io, { name, summary, examples: [example] }, async () => act);
  add(
    'claim <id>',
    'claim a review, so that others see who is on it',
    `assize reviews claim ${someId}`,
    claim,
  );
  add('release <id>', 'release a claimed review', `assize reviews release ${someId}`, release);
  add('extend <id> <minutes>', 'extend the expiry', `assize reviews extend ${someId} 30`, extend);
  add(
    'comment <id> <text>',
    'write a comment for other operators; the agent never sees it',
    `assize reviews comment ${someId} "asked Ada"`,
    comment,
  );
  add('comments <id>', 'list the comments of a review', `assize reviews comments ${someId}`, comments);
  addApiCommand(
    reviews,
    io,
    {
      name: 'stats',
      summary: 'count reviews and show decision times',
      examples: ['assize reviews stats', 'assize reviews stats --from 2026-01-01T00:00:00Z'],
    },
    async () => stats,
  )
    .option('--from <time>', 'opened from this time on (default 7 days ago)')
    .option('--integration <integration>', 'only those of an integration');
}

/** What an approval without `--once` lets later actions do. */
function grantText({ ruleId, same, uses, seconds }: ReviewGrant): string {
  const compared = same === null ? 'the same action' : `the same ${same.join(', ')}`;
  const often = uses === null ? 'any number of times' : `${uses} more times`;
  return `${ruleId}: ${compared}, ${often}, ${seconds === null ? 'in this session' : `for ${seconds} s`}`;
}

const requirementText = ({ quorum, from }: Review['requires'][number]): string =>
  `${quorum} of ${from.length === 0 ? 'all reviewers' : from.join(' or ')}`;

const reviewColumns: Column<Review>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'CLAIMED BY', of: ({ assignee }) => assignee?.name },
];

const reviewFields: Column<Review>[] = [
  ...reviewColumns,
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'EVALUATION', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'TARGET', of: ({ targetKey }) => targetKey },
  { title: 'TARGET METADATA', of: ({ targetMetadata }) => targetMetadata && JSON.stringify(targetMetadata) },
  { title: 'REASONS', of: ({ violations }) => violations.map(({ message }) => message).join('; ') },
  { title: 'COST', of: ({ cost }) => cost && JSON.stringify(cost) },
  { title: 'REQUIRES', of: ({ requires }) => requires.map(requirementText).join('; ') },
  { title: 'APPROVED BY', of: ({ approvals }) => approvals.map(({ by }) => by.name).join(', ') },
  { title: 'GRANTS', of: ({ grants }) => grants.map(grantText).join('; ') },
  { title: 'INPUT', of: ({ input }) => input && JSON.stringify(input) },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'DECIDED', of: ({ decidedAt }) => decidedAt },
  { title: 'REASON', of: ({ reason }) => reason },
  { title: 'COMMENT', of: ({ comment }) => comment },
  { title: 'CALLBACK', of: ({ callback }) => callback?.status },
];

interface Filter extends PageOptions {
  status?: string;
  session?: string;
  integration?: string;
  tool?: string;
  severity?: string;
  assignee?: string;
  olderThan?: number;
}

async function list(call: Call<Filter>): Promise<void> {
  const { page, size, status, session, integration, tool, severity, assignee, olderThan } = call.options;
  const integrationId =
    integration === undefined ? undefined : await idOf(call.http, 'integrations', integration);
  const to = olderThan === undefined ? undefined : new Date(Date.now() - olderThan * minuteMs).toISOString();
  const query = { page, size, status, sessionId: session, integrationId, tool, severity, assignee, to };
  await printPage(call, { path: '/v1/reviews', query }, reviewColumns, 'There are no such reviews.');
}

async function show({ http, out, args: [id = ''] }: Call): Promise<void> {
  const { data } = await http.send<Review>({ method: 'GET', path: path`/v1/reviews/${id}` });
  out.record(data, reviewFields);
}

type Decision = Call<{ comment?: string; evaluation?: string; reason?: string; once?: boolean }>;
const approve = (call: Decision): Promise<void> => decide(call, 'approve');
const reject = (call: Decision): Promise<void> => decide(call, 'reject');

async function decide({ http, out, options, args }: Decision, verb: 'approve' | 'reject'): Promise<void> {
  const { comment, reason, evaluation: evaluationRunId, once } = options;
  const why = { ...(comment !== undefined && { comment }), ...(reason !== undefined && { reason }) };
  const [id = '', ...others] = args;
  if (others.length > 0) {
    if (evaluationRunId !== undefined || once) {
      const option = once ? '--once' : '--evaluation';
      throw new Exit(exitCodes.wrongUse, `${option} is of one review: give one id`);
    }
    const decision = verb === 'approve' ? 'APPROVE' : 'REJECT';
    return decideAll({ http, out }, { ids: [...args], decision, ...why });
  }
  const given = {
    ...why,
    ...(evaluationRunId !== undefined && { evaluationRunId }),
    ...(once && { once }),
  };
  const json = Object.keys(given).length === 0 ? undefined : given;
  const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/${verb}`, json });
  out.record(data, reviewFields);
}

const change =
  (verb: 'claim' | 'release') =>
  async ({ http, out, args: [id = ''] }: Call): Promise<void> => {
    const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/${verb}` });
    out.record(data, reviewFields);
  };
const claim = change('claim');
const release = change('release');

async function extend({ http, out, args: [id = '', minutes = ''] }: Call): Promise<void> {
  if (!/^\d{1,5}$/.test(minutes)) throw new Exit(exitCodes.wrongUse, 'minutes must be a whole number');
  const json = { minutes: Number(minutes) };
  const { data } = await http.send<Review>({ method: 'POST', path: path`/v1/reviews/${id}/extend`, json });
  out.record(data, reviewFields);
}

async function comment({ http, out, args: [id = '', text = ''] }: Call): Promise<void> {
  const { data } = await http.send<ReviewComment>({
    method: 'POST',
    path: path`/v1/reviews/${id}/comments`,
    json: { text },
  });
  out.record(data, [
    { title: 'AUTHOR', of: ({ author }) => author.name },
    { title: 'AT', of: ({ createdAt }) => createdAt },
    { title: 'TEXT', of: (one) => one.text },
  ]);
}

async function comments({ http, out, args: [id = ''] }: Call): Promise<void> {
  const query = { size: 200 };
  const { data } = await http.send<ReviewComment[]>({
    method: 'GET',
    path: path`/v1/reviews/${id}/comments`,
    query,
  });
  out.list(
    data,
    [
      { title: 'AT', of: ({ createdAt }) => createdAt },
      { title: 'AUTHOR', of: ({ author }) => author.name },
      { title: 'TEXT', of: ({ text }) => text },
    ],
    'There are no comments.',
  );
}

async function stats({
  http,
  out,
  options: { from, integration },
}: Call<{ from?: string; integration?: string }>): Promise<void> {
  const integrationId = integration === undefined ? undefined : await idOf(http, 'integrations', integration);
  const { data } = await http.send<ReviewStatistics>({
    method: 'GET',
    path: '/v1/reviews/stats',
    query: { from, integrationId },
  });
  const seconds = (ms: number | null) => (ms === null ? null : `${Math.round(ms / 1_000)} s`);
  out.record(data, [
    { title: 'FROM', of: (one) => one.from },
    { title: 'REVIEWS', of: ({ reviewCount }) => reviewCount },
    { title: 'PENDING', of: ({ pendingCount }) => pendingCount },
    { title: 'APPROVED', of: ({ approvedCount }) => approvedCount },
    { title: 'REJECTED', of: ({ rejectedCount }) => rejectedCount },
    { title: 'CANCELLED', of: ({ cancelledCount }) => cancelledCount },
    { title: 'EXPIRED', of: ({ expiredCount }) => expiredCount },
    { title: 'EXPIRED UNSEEN', of: ({ expiredUnseenCount }) => expiredUnseenCount },
    { title: 'TIME TO DECISION, MEDIAN', of: ({ timeToDecisionMs: { p50 } }) => seconds(p50) },
    { title: 'TIME TO DECISION, P90', of: ({ timeToDecisionMs: { p90 } }) => seconds(p90) },
  ]);
}

/** Several at once: each is decided for itself, and one that is refused makes the exit code 1. */
async function decideAll(
  { http, out }: Pick<Call, 'http' | 'out'>,
  json: { ids: string[]; decision: 'APPROVE' | 'REJECT'; comment?: string; reason?: string },
): Promise<void> {
  const { data } = await http.send<BulkDecision[]>({ method: 'POST', path: '/v1/reviews/decide', json });
  out.list(
    data,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'DECIDED', of: ({ decided }) => decided },
      { title: 'STATUS', of: ({ status }) => status, word: true },
      { title: 'ERROR', of: ({ error }) => error?.message },
    ],
    '',
  );
  const refused = data.filter(({ decided }) => !decided).length;
  if (refused > 0) throw new Exit(exitCodes.failed, `${refused} of ${data.length} were not decided`);
}
