import type { Timestamp } from '../cel/index.ts';
import { moment } from './moment.ts';
import type { SessionView } from './session-view.ts';
import type { Subject } from './subject.ts';
import { countsSeen, namesSeen } from './tool-names.ts';

/** The tree of the session as expressions read it: the session itself where it is alone. */
export class TreeView {
  readonly #session: Subject['session'];
  readonly #view: SessionView;
  readonly #tool: string;
  readonly #toolsMentioned: ReadonlySet<string>;

  constructor(
    { session, tool, toolsMentioned }: Pick<Subject, 'session' | 'tool' | 'toolsMentioned'>,
    view: SessionView,
  ) {
    this.#session = session;
    this.#view = view;
    this.#tool = tool;
    this.#toolsMentioned = toolsMentioned;
  }
  get #counts() {
    return this.#session.tree ?? this.#session;
  }
  get id(): string {
    return this.#session.rootId;
  }
  get actionCount(): number {
    return this.#counts.actionCount;
  }
  get dataTags(): readonly string[] {
    return this.#session.tree === null ? this.#view.dataTags : this.#counts.dataTags;
  }
  get labels(): readonly string[] {
    const { labels, monitoredLabels } = this.#counts;
    return this.#view.monitors ? [...new Set([...labels, ...monitoredLabels])] : labels;
  }
  get toolsUsed(): readonly string[] {
    return this.#session.tree === null
      ? this.#view.toolsUsed
      : namesSeen(this.#session.tree.toolCounts, this.#tool, this.#toolsMentioned);
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#counts.toolCounts, this.#toolsMentioned);
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#counts.attemptCounts, this.#toolsMentioned);
  }
  get warningCount(): number {
    return this.#counts.warningCount;
  }
  get blockCount(): number {
    return this.#counts.blockCount;
  }
  get reviewCount(): number {
    return this.#counts.reviewCount;
  }
  get rejectionCount(): number {
    return this.#counts.rejectionCount;
  }
  get startedAt(): Timestamp | undefined {
    return moment(this.#counts.startedAt);
  }
}
