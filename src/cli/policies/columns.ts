import type { Policy, PolicySummary, PolicyVersion } from '../../schemas/policies.ts';
import type { Column } from '../output/output.ts';

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
