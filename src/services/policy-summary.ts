import type { PolicySummary } from '../schemas/policies.ts';
import type { StoredPolicy } from '../store/store.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** What every read of a policy shows. */
export const policySummary = ({ previousVersion: _, ...policy }: StoredPolicy): PolicySummary => ({
  ...policy,
  scheduledAt: isoTimeOrNull(policy.scheduledAt),
  createdAt: isoTime(policy.createdAt),
  updatedAt: isoTime(policy.updatedAt),
});
