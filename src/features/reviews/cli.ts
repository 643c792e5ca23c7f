import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { createNames } from '../../cli/api/find.ts';
import { numberOption, textOption, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun, integrationField } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import { path } from '../../client/http.ts';
import { minuteMs } from '../../schemas/durations.ts';
import type { ReviewGrant } from '../../schemas/review-terms.ts';
import { severities } from '../../schemas/words.ts';
import type { BulkDecision, Review, ReviewComment, ReviewStatistics } from './schema.ts';
import { reviewReasons, reviewStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

/** The later actions that an approval without `--once` covers. */
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
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
];

const reviewFields: Column<Review>[] = [
  ...reviewColumns,
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

const reviewNames = { integrationId: 'integrations' } as const;

const author: Column<ReviewComment> = { title: 'AUTHOR', of: (comment) => comment.author.name };
const at: Column<ReviewComment> = { title: 'AT', of: ({ createdAt }) => createdAt };
const text: Column<ReviewComment> = { title: 'TEXT', of: (comment) => comment.text };

const seconds = (ms: number | null) => (ms === null ? null : `${Math.round(ms / 1_000)} s`);
const statisticsFields: Column<ReviewStatistics>[] = [
  { title: 'FROM', of: ({ from }) => from },
  { title: 'REVIEWS', of: ({ reviewCount }) => reviewCount },
  { title: 'PENDING', of: ({ pendingCount }) => pendingCount },
  { title: 'APPROVED', of: ({ approvedCount }) => approvedCount },
  { title: 'REJECTED', of: ({ rejectedCount }) => rejectedCount },
  { title: 'CANCELLED', of: ({ cancelledCount }) => cancelledCount },
  { title: 'EXPIRED', of: ({ expiredCount }) => expiredCount },
  { title: 'EXPIRED UNSEEN', of: ({ expiredUnseenCount }) => expiredUnseenCount },
  { title: 'TIME TO DECISION, MEDIAN', of: ({ timeToDecisionMs: { p50 } }) => seconds(p50) },
  { title: 'TIME TO DECISION, P90', of: ({ timeToDecisionMs: { p90 } }) => seconds(p90) },
];

const decisionOptions = [
  textOption('--comment <text>', 'comment for the agent'),
  wordOption('--reason <reason>', 'reason as a code', reviewReasons),
  textOption(
    '--evaluation <id>',
    'the EVALUATION that the review showed; refused if the action was tried again since',
  ),
];

export const addReviews = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'reviews',
    alias: 'review',
    summary: 'held actions that wait for a decision',
    description: 'Reviews are held actions that wait for a decision by a person.',
    examples: ['assize reviews list --status PENDING'],
    commands: [
      {
        name: 'list',
        summary: 'list reviews, newest first',
        examples: ['assize reviews list --status PENDING'],
        options: [
          wordOption('--status <status>', 'only these', reviewStatuses),
          textOption('--session <id>', 'only those of a session'),
          textOption('--integration <integration>', 'only those of an integration'),
          textOption('--tool <tool>', 'only those of a tool'),
          wordOption('--severity <severity>', 'only those of a severity', severities),
          textOption(
            '--assignee <operator>',
            'only reviews claimed by the operator with this id, by `me`, or by `none`',
          ),
          numberOption('--older-than <minutes>', 'only reviews held for at least this long', [0, 1_000_000]),
        ],
        request: 'GET /v1/reviews',
        fields: {
          session: 'sessionId',
          integration: integrationField,
          olderThan: {
            field: 'to',
            read: (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString(),
          },
        },
        columns: reviewColumns,
        names: reviewNames,
        none: 'There are no such reviews.',
      },
      {
        name: 'show <id>',
        summary: 'show a review, with the stored content of the action',
        examples: [`assize reviews show ${someId}`],
        request: 'GET /v1/reviews/{id}',
        columns: reviewFields,
        names: reviewNames,
      },
      {
        name: 'approve <id...>',
        summary: 'approve the held action',
        examples: [`assize reviews approve ${someId} --comment "asked Ada"`],
        options: [
          ...decisionOptions,
          textOption('--once', 'approve this action alone, without the grants of the review'),
        ],
        act: (call) => decide(call, 'approve'),
      },
      {
        name: 'reject <id...>',
        summary: 'reject the held action',
        examples: [`assize reviews reject ${someId} --comment "asked Ada"`],
        options: decisionOptions,
        act: (call) => decide(call, 'reject'),
      },
      {
        name: 'claim <id>',
        summary: 'claim a review, so that others see who is on it',
        examples: [`assize reviews claim ${someId}`],
        request: 'POST /v1/reviews/{id}/claim',
        columns: reviewFields,
        names: reviewNames,
      },
      {
        name: 'release <id>',
        summary: 'release a claimed review',
        examples: [`assize reviews release ${someId}`],
        request: 'POST /v1/reviews/{id}/release',
        columns: reviewFields,
        names: reviewNames,
      },
      {
        name: 'extend <id> <minutes>',
        summary: 'extend the expiry',
        examples: [`assize reviews extend ${someId} 30`],
        request: 'POST /v1/reviews/{id}/extend',
        fields: { minutes: { field: 'minutes', read: minutesIn } },
        columns: reviewFields,
        names: reviewNames,
      },
      {
        name: 'comment <id> <text>',
        summary: 'write a comment for other operators; the agent never sees it',
        examples: [`assize reviews comment ${someId} "asked Ada"`],
        request: 'POST /v1/reviews/{id}/comments',
        columns: [author, at, text],
      },
      {
        name: 'comments <id>',
        summary: 'list the comments of a review',
        examples: [`assize reviews comments ${someId}`],
        request: 'GET /v1/reviews/{id}/comments',
        defaults: { size: '200' },
        columns: [at, author, text],
        none: 'There are no comments.',
        paged: false,
      },
      {
        name: 'stats',
        summary: 'count reviews and show decision times',
        examples: ['assize reviews stats', 'assize reviews stats --from 2026-01-01T00:00:00Z'],
        options: [
          textOption('--from <time>', 'opened from this time on (default 7 days ago)'),
          textOption('--integration <integration>', 'only those of an integration'),
        ],
        request: 'GET /v1/reviews/stats',
        fields: { integration: integrationField },
        columns: statisticsFields,
      },
    ],
  });

function minutesIn(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Exit(exitCodes.wrongUse, 'minutes must be a whole number');
}

type Decision = Call<{ comment?: string; evaluation?: string; reason?: string; once?: boolean }>;

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
  out.record(out.json ? data : await createNames(http).withNames(data, reviewNames), reviewFields);
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
