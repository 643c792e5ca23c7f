import type { SessionStatus } from '../features/sessions/schema.ts';
import { otherTools, recentActionsLimit } from '../features/sessions/words.ts';
import { letsThrough, type Violation } from '../schemas/decisions.ts';
import { minuteMs } from '../schemas/durations.ts';
import type { SessionAction, SessionContext, TreeContext } from '../schemas/session-context.ts';
import type { NewEvaluation, Verdict } from './evaluation.ts';
import { type NewSession, rootIdOf, type SessionPlace } from './session-places.ts';

/** The status of a session as it is stored; EXPIRED is derived from the clock. */
export interface WrittenStatus {
  readonly status: Exclude<SessionStatus, 'EXPIRED'>;
  readonly expiresAt: number;
}

/** `expiresAt` itself is already too late. */
export const statusAt = ({ status, expiresAt }: WrittenStatus, now: number): SessionStatus =>
  status === 'ACTIVE' && expiresAt <= now ? 'EXPIRED' : status;

/** How long the results of actions are taken that a session let through before it was over. */
export const lateResultMs = 15 * minuteMs;

/** Whether the session is ACTIVE, or takes results of its actions still. */
export const takesResultsAt = (
  session: Pick<SessionProgress, 'status' | 'expiresAt' | 'endedAt'>,
  now: number,
): boolean => now < (session.endedAt ?? session.expiresAt) + lateResultMs;

/** A session as its next evaluation finds it, and as `advance` changes it. */
export interface SessionProgress extends SessionContext, SessionCounts, WrittenStatus {
  readonly place: SessionPlace | null;
  /** Null until it is ended; one that expires is never ended. */
  readonly endedAt: number | null;
  actionCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string[];
  labels: string[];
  monitoredLabels: string[];
  toolCounts: ReadonlyMap<string, number>;
  /** Empty while `hasRecentActions` is false, and replaced, never changed. */
  recentActions: readonly SessionAction[];
  hasRecentActions: boolean;
}

/** Adds a recorded evaluation to what its session has seen (contract, "What a rule sees"). */
export function advance(
  progress: SessionProgress,
  evaluation: Pick<NewEvaluation, 'phase' | 'tool' | 'targetKey' | 'dataTags' | 'toolNames' | 'at'>,
  verdict: Pick<
    Verdict,
    'enforcementAction' | 'enforcedSeverity' | 'labels' | 'monitoredLabels' | 'violations' | 'repeats'
  >,
): void {
  const { enforcementAction, enforcedSeverity } = verdict;
  countEvaluation(progress, evaluation, verdict);
  if (evaluation.phase !== 'ACTION' || !progress.hasRecentActions) return;
  const action: SessionAction = {
    seq: progress.actionCount,
    tool: evaluation.tool,
    targetKey: evaluation.targetKey,
    dataTags: [...evaluation.dataTags],
    enforcementAction,
    severity: enforcedSeverity,
    ...findingsOf(verdict.violations),
    labels: verdict.labels,
    repeats: verdict.repeats,
    at: evaluation.at,
  };
  progress.recentActions = [action, ...progress.recentActions.slice(0, recentActionsLimit - 1)];
}

/** The findings of an earlier action, as later rules see them. */
export const findingsOf = (violations: readonly Violation[]): Pick<SessionAction, 'rules' | 'reasons'> => ({
  rules: [...new Set(violations.map(({ ruleId }) => ruleId))],
  reasons: [...new Set(violations.map(({ reason }) => reason))],
});

/** The context of the first evaluation of a session. */
export const newContext = (
  session: Pick<NewSession, 'id' | 'entityId' | 'metadata' | 'startedAt' | 'place'>,
): SessionContext => ({
  id: session.id,
  rootId: rootIdOf(session),
  parentId: session.place?.parentId ?? null,
  depth: session.place?.depth ?? 0,
  tree: null,
  entityId: session.entityId,
  metadata: session.metadata,
  startedAt: session.startedAt,
  actionCount: 0,
  warningCount: 0,
  blockCount: 0,
  reviewCount: 0,
  rejectionCount: 0,
  dataTags: [],
  labels: [],
  monitoredLabels: [],
  toolCounts: new Map(),
  attemptCounts: new Map(),
  recentActions: [],
});

/** How often each tool was let through and how often it was not. Each in the order of first use. */
interface ToolCounts {
  readonly toolCounts: ReadonlyMap<string, number>;
  /** Attempts that were not let through: blocked or held. */
  readonly stoppedCounts: ReadonlyMap<string, number>;
  /** Different names in both, without `(other)`. */
  toolNameCount: number;
  addToolCount(name: string): void;
  addStoppedCount(name: string): void;
}

/** The counts of a session, which what is recorded in it changes. */
interface SessionCounts extends ToolCounts {
  actionCount: number;
  /** Number of prompts and results. */
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  /** Changes when a person decides, not with an evaluation. */
  rejectionCount: number;
  /** In order of first sight. Replaced, never changed: whoever read it keeps what was. */
  dataTags: string[];
  /** Labels, in the same order. */
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
  if (more.length === 0) return words;
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

/** The counts of all sessions of a tree together, as every store keeps them: one JSON text. */
export class TreeCounts implements SessionCounts {
  actionCount: number;
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string[];
  labels: string[];
  monitoredLabels: string[];
  readonly toolCounts: Map<string, number>;
  readonly stoppedCounts: Map<string, number>;
  toolNameCount: number;
  readonly startedAt: number;

  constructor(from: Omit<SessionCounts, 'addToolCount' | 'addStoppedCount'> & { startedAt: number }) {
    this.actionCount = from.actionCount;
    this.otherCount = from.otherCount;
    this.warningCount = from.warningCount;
    this.blockCount = from.blockCount;
    this.reviewCount = from.reviewCount;
    this.rejectionCount = from.rejectionCount;
    this.dataTags = [...from.dataTags];
    this.labels = [...from.labels];
    this.monitoredLabels = [...from.monitoredLabels];
    this.toolCounts = new Map(from.toolCounts);
    this.stoppedCounts = new Map(from.stoppedCounts);
    this.toolNameCount = countToolNames(this);
    this.startedAt = from.startedAt;
  }
  static parse(text: string): TreeCounts {
    const kept = JSON.parse(text) as Omit<TreeCounts, 'toolCounts' | 'stoppedCounts'> & {
      toolCounts: [string, number][];
      stoppedCounts: [string, number][];
    };
    const toolCounts = new Map(kept.toolCounts);
    return new TreeCounts({ ...kept, toolCounts, stoppedCounts: new Map(kept.stoppedCounts) });
  }
  get text(): string {
    return JSON.stringify({
      ...this,
      toolCounts: [...this.toolCounts],
      stoppedCounts: [...this.stoppedCounts],
    });
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return attemptCountsOf(this);
  }
  addToolCount(name: string): void {
    this.toolCounts.set(name, (this.toolCounts.get(name) ?? 0) + 1);
  }
  addStoppedCount(name: string): void {
    this.stoppedCounts.set(name, (this.stoppedCounts.get(name) ?? 0) + 1);
  }
}

/** The context of a session in a tree: what is known of its ancestors counts for it at once. */
export function contextInTree(
  own: SessionContext,
  ancestors: readonly Pick<SessionContext, 'dataTags' | 'labels' | 'monitoredLabels'>[],
  tree: TreeContext,
): SessionContext {
  const all = [...ancestors, own];
  return {
    id: own.id,
    rootId: own.rootId,
    parentId: own.parentId,
    depth: own.depth,
    entityId: own.entityId,
    metadata: own.metadata,
    startedAt: own.startedAt,
    actionCount: own.actionCount,
    warningCount: own.warningCount,
    blockCount: own.blockCount,
    reviewCount: own.reviewCount,
    rejectionCount: own.rejectionCount,
    toolCounts: own.toolCounts,
    attemptCounts: own.attemptCounts,
    recentActions: own.recentActions,
    dataTags: union(all.map(({ dataTags }) => dataTags)),
    labels: union(all.map(({ labels }) => labels)),
    monitoredLabels: union(all.map(({ monitoredLabels }) => monitoredLabels)),
    tree,
  };
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

type Marks = Pick<SessionCounts, 'dataTags' | 'labels' | 'monitoredLabels'>;

/** A child is over: what is known of it counts for its parent from now on. */
export function gatherMarks(parent: Marks, child: Marks): void {
  parent.dataTags = union([parent.dataTags, child.dataTags]);
  parent.labels = union([parent.labels, child.labels]);
  parent.monitoredLabels = union([parent.monitoredLabels, child.monitoredLabels]);
}
