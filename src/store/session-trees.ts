import type { SessionContext, TreeContext } from '../schemas/session-context.ts';
import { attemptCountsOf, countToolNames, type SessionCounts } from './session-counts.ts';

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
