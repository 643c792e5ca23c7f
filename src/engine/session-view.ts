import type { Timestamp } from '../cel/index.ts';
import { parseJson } from '../json/parse.ts';
import type { SessionAction } from '../schemas/session-context.ts';
import { moment } from './moment.ts';
import type { Subject } from './subject.ts';
import { countsSeen, namesSeen } from './tool-names.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The session as expressions read it. What is costly to make is made when an expression first reads it. */
export class SessionView {
  readonly #session: Subject['session'];
  readonly #tool: string;
  readonly #toolsMentioned: ReadonlySet<string>;
  readonly #repeats: number;
  #metadata: Metadata | undefined;
  #recentActions: readonly RecentAction[] | undefined;

  constructor({
    session,
    tool,
    toolsMentioned,
    repeats = 0,
  }: Pick<Subject, 'session' | 'tool' | 'toolsMentioned' | 'repeats'>) {
    this.#repeats = repeats;
    this.#session = session;
    this.#tool = tool;
    this.#toolsMentioned = toolsMentioned;
  }
  get id(): string {
    return this.#session.id;
  }
  get actionCount(): number {
    return this.#session.actionCount;
  }
  get dataTags(): readonly string[] {
    return this.#session.dataTags;
  }
  get toolsUsed(): readonly string[] {
    return this.#session.toolsUsed ?? namesSeen(this.#session.toolCounts, this.#tool, this.#toolsMentioned);
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#session.toolCounts, this.#toolsMentioned);
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#session.attemptCounts, this.#toolsMentioned);
  }
  get warningCount(): number {
    return this.#session.warningCount;
  }
  get blockCount(): number {
    return this.#session.blockCount;
  }
  get reviewCount(): number {
    return this.#session.reviewCount;
  }
  get repeats(): number {
    return this.#repeats;
  }
  get startedAt(): Timestamp | undefined {
    return moment(this.#session.startedAt);
  }
  get metadata(): Metadata {
    this.#metadata ??= parseJson(this.#session.metadata) as Metadata;
    return this.#metadata;
  }
  get entityId(): string | null {
    return this.#session.entityId;
  }
  get recentActions(): readonly RecentAction[] {
    this.#recentActions ??= this.#session.recentActions.map(
      ({ seq, tool, targetKey, dataTags, enforcementAction, severity, at }) => ({
        seq,
        tool,
        targetKey: targetKey ?? '',
        dataTags,
        enforcementAction,
        severity,
        at: moment(at),
      }),
    );
    return this.#recentActions;
  }
}

/** A plain object: a field called like a member of lists, as `at` is, is only read when it is the object's own. */
interface RecentAction extends Omit<SessionAction, 'at' | 'targetKey'> {
  readonly targetKey: string;
  readonly at: Timestamp | undefined;
}
