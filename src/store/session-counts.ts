import { letsThrough } from '../schemas/decisions.ts';
import { otherTools } from '../schemas/evaluation-sessions.ts';
import type { NewEvaluation } from './new-evaluations.ts';
import type { Verdict } from './verdicts.ts';

/** How often each tool was let through and how often it was not. Each in the order of first use. */
export interface ToolCounts {
  readonly toolCounts: ReadonlyMap<string, number>;
  /** Attempts that were not let through: blocked or held. */
  readonly stoppedCounts: ReadonlyMap<string, number>;
  /** Different names in both, without `(other)`. */
  toolNameCount: number;
  addToolCount(name: string): void;
  addStoppedCount(name: string): void;
}

/** The counts of a session, which what is recorded in it changes. */
export interface SessionCounts extends ToolCounts {
  actionCount: number;
  /** Of prompts and results. */
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  /** Changes when a person decides, not with an evaluation. */
  rejectionCount: number;
  /** In order of first sight. Replaced, never changed: whoever read it keeps what was. */
  dataTags: string[];
  /** The same of labels. */
  labels: string[];
  monitoredLabels: string[];
}

/** All that one recorded evaluation changes in the counts of its session (contract, "What a rule sees"). */
export function countEvaluation(
  counts: SessionCounts,
  { phase, tool, dataTags, toolNames }: Pick<NewEvaluation, 'phase' | 'tool' | 'dataTags' | 'toolNames'>,
  {
    enforcementAction: action,
    labels,
    monitoredLabels,
  }: Pick<Verdict, 'enforcementAction' | 'labels' | 'monitoredLabels'>,
): void {
  counts.dataTags = withFresh(counts.dataTags, dataTags);
  counts.labels = withFresh(counts.labels, labels);
  counts.monitoredLabels = withFresh(counts.monitoredLabels, monitoredLabels);
  if (phase !== 'ACTION') {
    counts.otherCount++;
    return;
  }
  counts.actionCount++;
  if (action === 'WARN') counts.warningCount++;
  if (action === 'BLOCK') counts.blockCount++;
  if (action === 'APPROVAL_REQUIRED') counts.reviewCount++;
  if (tool === '') return;
  const name = countedName(counts, tool, toolNames);
  // A held action that resumes is another evaluation, which is let through.
  if (letsThrough(action)) counts.addToolCount(name);
  else counts.addStoppedCount(name);
}

function withFresh(words: string[], more: readonly string[]): string[] {
  const fresh = more.filter((word) => !words.includes(word));
  return fresh.length === 0 ? words : [...words, ...fresh];
}

/** The name a tool counts under. Names that policies mention are always kept: see `namesMentioned` of the engine. */
function countedName(
  counts: ToolCounts,
  tool: string,
  { most, mentioned }: NewEvaluation['toolNames'],
): string {
  if (tool === otherTools || counts.toolCounts.has(tool) || counts.stoppedCounts.has(tool)) return tool;
  if (counts.toolNameCount >= most && !mentioned.has(tool)) return otherTools;
  counts.toolNameCount++;
  return tool;
}

export function countToolNames({ toolCounts, stoppedCounts }: Omit<ToolCounts, 'toolNameCount'>): number {
  let names = toolCounts.size;
  for (const name of stoppedCounts.keys()) if (!toolCounts.has(name)) names++;
  return toolCounts.has(otherTools) || stoppedCounts.has(otherTools) ? names - 1 : names;
}

/** Every evaluation of an action by its tool: let through or not. */
export function attemptCountsOf({
  toolCounts,
  stoppedCounts,
}: Pick<ToolCounts, 'toolCounts' | 'stoppedCounts'>): ReadonlyMap<string, number> {
  if (stoppedCounts.size === 0) return toolCounts;
  const attempts = new Map(toolCounts);
  for (const [tool, count] of stoppedCounts) attempts.set(tool, (attempts.get(tool) ?? 0) + count);
  return attempts;
}
