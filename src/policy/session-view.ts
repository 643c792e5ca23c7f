import { CelError, type Timestamp } from '../cel/index.ts';
import { parseJson } from '../json/parse.ts';
import type { OpenGrant } from '../schemas/grants.ts';
import type { SessionAction } from '../schemas/session-context.ts';
import { moment } from './moment.ts';
import { orNotKept } from './not-kept.ts';
import type { Subject } from './subject.ts';
import { countsSeen, namesSeen } from './tool-names.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The session as expressions read it. What is costly to make is made when an expression first reads it. */
export class SessionView {
  readonly #session: Subject['session'];
  readonly #tool: string;
  readonly #toolsMentioned: ReadonlySet<string>;
  readonly #repeats: number;
  readonly #grants: NonNullable<Subject['grants']>;
  readonly #hidesTags: boolean;
  /** Whether the policy that is running is in mode MONITOR. */
  monitors = false;
  #metadata: Metadata | undefined;
  #recentActions: readonly RecentAction[] | undefined;

  constructor({
    session,
    tool,
    toolsMentioned,
    repeats = 0,
    grants = [],
    unknowns,
  }: Pick<Subject, 'session' | 'tool' | 'toolsMentioned' | 'repeats' | 'grants' | 'unknowns'>) {
    this.#grants = orNotKept(unknowns?.grants, grants);
    this.#repeats = orNotKept(unknowns?.repeats, repeats);
    this.#hidesTags = unknowns?.dataTags ?? false;
    this.#session = session;
    this.#tool = tool;
    this.#toolsMentioned = toolsMentioned;
  }
  get id(): string {
    return this.#session.id;
  }
  /** `''` without a parent. */
  get parentId(): string {
    return this.#session.parentId ?? '';
  }
  get depth(): number {
    return this.#session.depth;
  }
  get actionCount(): number {
    return this.#session.actionCount;
  }
  get dataTags(): readonly string[] {
    return orNotKept(this.#hidesTags, this.#session.dataTags);
  }
  /** A policy in mode MONITOR sees its like as well; no other one may, because it must change no decision. */
  get labels(): readonly string[] {
    const { labels, monitoredLabels } = this.#session;
    return this.monitors && monitoredLabels.length > 0 ? union(labels, monitoredLabels) : labels;
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
  get rejectionCount(): number {
    return this.#session.rejectionCount;
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
  get grants(): readonly ViewedGrant[] {
    if (this.#grants instanceof CelError) return this.#grants as never;
    return this.#grants.map(({ ruleId, tool, usesLeft, expiresAt }) => ({
      ruleId,
      tool,
      usesLeft,
      expiresAt: expiresAt === null ? null : moment(expiresAt),
    }));
  }
  get recentActions(): readonly RecentAction[] {
    this.#recentActions ??= this.#session.recentActions.map(
      ({
        seq,
        tool,
        targetKey,
        dataTags,
        enforcementAction,
        severity,
        rules,
        reasons,
        labels,
        repeats,
        at,
      }) => ({
        seq,
        tool,
        targetKey: targetKey ?? '',
        dataTags,
        enforcementAction,
        severity,
        rules,
        reasons,
        labels,
        // One that is not known is an error of the rule: 0 would hide a repetition.
        repeats: repeats ?? undefined,
        at: moment(at),
      }),
    );
    return this.#recentActions;
  }
}

const union = (left: readonly string[], right: readonly string[]): string[] => [
  ...new Set([...left, ...right]),
];

interface ViewedGrant extends Pick<OpenGrant, 'ruleId' | 'tool' | 'usesLeft'> {
  readonly expiresAt: Timestamp | undefined | null;
}

/** A plain object: a field called like a member of lists, as `at` is, is only read when it is the object's own. */
interface RecentAction extends Omit<SessionAction, 'at' | 'targetKey' | 'repeats'> {
  readonly repeats: number | undefined;
  readonly targetKey: string;
  readonly at: Timestamp | undefined;
}
