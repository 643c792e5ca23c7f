import type { Timestamp } from '../cel/index.ts';
import { moment } from './moment.ts';
import type { RecentAction, SubjectSession } from './subject.ts';

/** The session as expressions read it: as the caller gives it, with timestamps in place of milliseconds. */
export class SessionView {
  readonly #session: SubjectSession;
  #recentActions: readonly RecentActionView[] | undefined;

  constructor(session: SubjectSession) {
    this.#session = session;
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
    return this.#session.toolsUsed;
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return this.#session.toolCounts;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return this.#session.attemptCounts;
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
  get startedAt(): Timestamp | undefined {
    return moment(this.#session.startedAt);
  }
  get metadata(): Readonly<Record<string, unknown>> {
    return this.#session.metadata;
  }
  get entityId(): string | null {
    return this.#session.entityId;
  }
  get recentActions(): readonly RecentActionView[] {
    this.#recentActions ??= this.#session.recentActions.map((action) => ({
      ...action,
      at: moment(action.at),
    }));
    return this.#recentActions;
  }
}

/** A plain object: a field called like a member of lists, as `at` is, is only read when it is the object's own. */
interface RecentActionView extends Omit<RecentAction, 'at'> {
  at: Timestamp | undefined;
}
