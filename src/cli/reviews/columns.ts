import type { ReviewGrant } from '../../schemas/grants.ts';
import type { Review } from '../../schemas/reviews.ts';
import type { Column } from '../output/output.ts';

/** What an approval without `--once` lets later actions do. */
function grantText({ ruleId, same, uses, seconds }: ReviewGrant): string {
  const compared = same === null ? 'the same action' : `the same ${same.join(', ')}`;
  const often = uses === null ? 'any number of times' : `${uses} more times`;
  return `${ruleId}: ${compared}, ${often}, ${seconds === null ? 'in this session' : `for ${seconds} s`}`;
}

const requirementText = ({ quorum, from }: Review['requires'][number]): string =>
  `${quorum} of ${from.length === 0 ? 'all reviewers' : from.join(' or ')}`;

export const reviewColumns: Column<Review>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'CLAIMED BY', of: ({ assignee }) => assignee?.name },
];

export const reviewFields: Column<Review>[] = [
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
