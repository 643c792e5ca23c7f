import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Column } from '../../cli/output.ts';
import type { Policy, PolicySummary, PolicyVersion } from './schema.ts';

export const policyColumns: Column<PolicySummary>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'LATEST', of: ({ latestVersion }) => latestVersion },
  { title: 'UPDATED', of: ({ updatedAt }) => updatedAt },
];

export const policyStateFields: Column<PolicySummary>[] = [
  ...policyColumns,
  { title: 'SCHEDULED', of: ({ scheduledVersion }) => scheduledVersion },
  { title: 'FROM', of: ({ scheduledAt }) => scheduledAt },
];

export const policyFields: Column<Policy>[] = [
  ...(policyStateFields as Column<Policy>[]),
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
  { title: 'MEDIA TYPE', of: ({ mediaType }) => mediaType },
];

export const versionColumns: Column<PolicyVersion>[] = [
  { title: 'VERSION', of: ({ version }) => version },
  { title: 'CURRENT', of: ({ current }) => (current ? 'current' : '') },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'AUTHOR', of: ({ author }) => author?.name },
  { title: 'NOTE', of: ({ note }) => note },
  { title: 'MEDIA TYPE', of: ({ mediaType }) => mediaType },
  { title: 'CREATED', of: ({ createdAt }) => createdAt },
];

/** For whoever pushed or bound a policy that nobody has activated. */
export const draftWarning = ({ name }: { name: string }): string =>
  `The policy is a DRAFT and decides nothing yet: assize policies activate ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`;

/** The number of a policy version in an argument. */
export function versionIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Exit(exitCodes.wrongUse, 'a version is a whole number from 1');
}
