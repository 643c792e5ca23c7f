import type { EnforcementAction } from '../schemas/decisions.ts';
import type { NewEvaluation } from './evaluations.ts';

/** The counts of a session, which what is recorded in it changes. */
export interface SessionCounts {
  actionCount: number;
  /** Of prompts and results. */
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  /** In order of first sight. Replaced, never changed: whoever read it keeps what was. */
  dataTags: string[];
  countTool(tool: string): void;
}

/** All that one recorded evaluation changes in the counts of its session (contract, "What a rule sees"). */
export function countEvaluation(
  counts: SessionCounts,
  { phase, tool, dataTags }: Pick<NewEvaluation, 'phase' | 'tool' | 'dataTags'>,
  action: EnforcementAction,
): void {
  const fresh = dataTags.filter((tag) => !counts.dataTags.includes(tag));
  if (fresh.length > 0) counts.dataTags = [...counts.dataTags, ...fresh];
  if (phase !== 'ACTION') {
    counts.otherCount++;
    return;
  }
  counts.actionCount++;
  if (action === 'WARN') counts.warningCount++;
  if (action === 'BLOCK') counts.blockCount++;
  if (action === 'APPROVAL_REQUIRED') counts.reviewCount++;
  if (action !== 'BLOCK' && tool !== '') counts.countTool(tool);
}
