import type { DecidingTools } from '../../evaluate/catalogue.ts';
import { exactName } from '../../evaluate/judge.ts';
import type { Loaded } from '../../evaluate/port.ts';
import { TreeCounts } from '../../evaluate/session.ts';
import type { IntegrationSettings } from '../../features/integrations/schema.ts';
import {
  createMemoryCounters,
  type MemoryCounters,
} from '../../features/policies/policy-tests/memory-counters.ts';
import { gather, MemorySession } from '../../features/policies/policy-tests/memory-session.ts';

import { letsThrough, type Violation } from '../../schemas/decisions.ts';
import type {
  NamedThen,
  ReplayIntegration,
  ReplayRow,
  ReplaySession,
  ReplaySessionChange,
  ReplaySource,
} from '../../store/replay.ts';
import type { NewEvaluation, SightingRows, SightingWrites } from '../../store/store.ts';
import { type PoliciesThen, toolsOf } from './policies-of-record.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** A review in a replay. */
interface ReplayedReview {
  /** The violations that it shows. */
  violations: readonly Violation[];
  /** Counts that a person rejected it, in the counters of the replay. */
  countRejection: (at: number) => void;
}

interface JudgedInPart {
  readonly rows: number[];
  readonly changes: ReplaySessionChange[];
}

/** A recorded session, as far as it was replayed. */
export class ReplayedSession extends MemorySession {
  readonly row: number;
  /** The integration of the root of its tree. */
  readonly rootIntegrationRow: number;
  readonly lastRow: number;
  readonly hasChildren: boolean;
  /** Actions that were let through then, and are not in the replay: what came back from them did not happen. */
  readonly stopped = new Set<string>();
  readonly #actionLabels = new Map<string, readonly string[]>();
  readonly #reviews = new Map<string, ReplayedReview>();
  /** Whether something of it is not known: its data tags, what it has seen, how often actions were repeated. */
  hidesTags = false;
  hidesSightings = false;
  hidesRepeats = false;
  /** The actions judged in part so far; null once all policies judge the session, as they do in trees, whose sessions depend on each other. */
  inPart: JudgedInPart | null;
  readonly repeats = new ReplayedRepeats();
  #counters: MemoryCounters | null = null;

  constructor(
    { row, integrationRow, opened, lastRow, hasChildren }: ReplaySession,
    parent: ReplayedSession | null,
    readsRecentActions: boolean,
  ) {
    super(opened, parent);
    this.hasRecentActions = readsRecentActions;
    this.row = row;
    this.lastRow = lastRow;
    this.hasChildren = hasChildren;
    const { root } = this;
    this.rootIntegrationRow = parent === null ? integrationRow : parent.rootIntegrationRow;
    // A tree begins with the first child.
    if (parent !== null) root.treeCounts ??= new TreeCounts(root);
    this.inPart = parent === null && !hasChildren ? { rows: [], changes: [] } : null;
  }

  /** The sightings of the session, as a store has them. */
  sightingRows(inherited: SightingRows['inherited']): SightingRows {
    return {
      count: this.sightings.size,
      isFull: this.sightingsFull,
      find: (digest) => this.sightings.get(digest) ?? none,
      inherited,
    };
  }
  keepSightings({ writes, isFull }: SightingWrites): void {
    for (const { digest, sightings } of writes) this.sightings.set(digest, sightings);
    this.sightingsFull ||= isFull;
  }

  /** For the result of the action. */
  keepLabels({ id, phase }: Pick<ReplayRow, 'id' | 'phase'>, labels: readonly string[]): void {
    if (phase === 'ACTION' && labels.length > 0) this.#actionLabels.set(id, labels);
  }
  /** The labels of the action whose result this is. */
  labelsOfAction({ resultOf }: Pick<ReplayRow, 'resultOf'>): readonly string[] {
    return resultOf === null ? none : (this.#actionLabels.get(resultOf) ?? none);
  }

  /** The reviews of all sessions of its tree, by their ids: a rejection in one of them holds in all. */
  get reviews(): Map<string, ReplayedReview> {
    return (this.root as ReplayedSession).#reviews;
  }

  /** Its own, where no counter counts across sessions: it can be judged again from its beginning. */
  get counters(): MemoryCounters {
    this.#counters ??= createMemoryCounters(true);
    return this.#counters;
  }
}

const none: readonly never[] = [];

/** Nobody rejected what, in the replay, was not held. */
function countRejection(session: ReplayedSession, reviewId: string, at: number): void {
  const review = session.reviews.get(reviewId);
  if (!review) return;
  session.rejectionCount++;
  if (session.root.treeCounts) session.root.treeCounts.rejectionCount++;
  review.countRejection(at);
}

/** The sessions of a replay: those that something is still recorded of. */
export class ReplayedSessions {
  readonly #source: ReplaySource;
  readonly #readsRecentActions: boolean;
  readonly #open = new Map<number, ReplayedSession>();

  /** `readsRecentActions`: whether a policy of the replay does; else no session keeps them. */
  constructor(source: ReplaySource, readsRecentActions: boolean) {
    this.#source = source;
    this.#readsRecentActions = readsRecentActions;
  }

  of(row: number): ReplayedSession {
    return this.#open.get(row) ?? this.#load(this.#source.session(row));
  }

  #load(found: ReplaySession): ReplayedSession {
    const { place } = found.opened;
    const parent = place === null ? null : this.of(this.#source.sessionRow(place.parentId));
    const session = new ReplayedSession(found, parent, this.#readsRecentActions);
    this.#open.set(found.row, session);
    return session;
  }

  /** Nobody asks for a session again of which this was the last evaluation, unless it is in a tree. */
  passed(session: ReplayedSession, row: number): void {
    if (row >= session.lastRow && !session.hasChildren && session.parent === null) this.#drop(session);
  }

  /** The same session at its beginning, to be judged by all policies. */
  fromItsBeginning({ row }: ReplayedSession): ReplayedSession {
    const session = this.#load(this.#source.session(row));
    session.inPart = null;
    return session;
  }

  change(change: ReplaySessionChange): void {
    const { sessionRow, kind, label, reviewId, at } = change;
    const session = this.#open.get(sessionRow);
    session?.inPart?.changes.push(change);
    if (session && kind === 'ENDED') {
      session.status = 'COMPLETED';
      session.endedAt = at;
      if (session.parent) gather(session.parent, at);
    } else if (session && kind === 'REJECTED') countRejection(session, reviewId ?? '', at);
    else if (session) session.labels = session.labels.filter((one) => one !== label);
  }

  /** Drops the trees that are over: a child lives no longer than its parent. */
  sweep(at: number): void {
    for (const session of this.#open.values())
      if (session.expiresAt <= at && session.root.expiresAt <= at) this.#drop(session);
  }

  #drop(session: ReplayedSession): void {
    this.#open.delete(session.row);
  }
}

/**
 * How often each exact action of a session was attempted. The record says it where a policy asked, and it depends on no decision; so
 * actions are hashed only when a later one needs a number that the record does not have.
 */
class ReplayedRepeats {
  readonly #attempts = new Map<string, number>();
  /** Rows whose own number is recorded. */
  #notHashed: number[] = [];

  /** How often this action was attempted before; 0 where no policy asks. `readAgain`: what was recorded in these rows. */
  before(
    { repeats }: ReplayRow,
    evaluation: NewEvaluation,
    readAgain: (rows: readonly number[]) => Iterable<NewEvaluation>,
  ): number {
    if (repeats !== null) return repeats;
    if (!counts(evaluation)) return 0;
    for (const earlier of readAgain(this.#notHashed)) this.#count(earlier);
    this.#notHashed = [];
    return this.#attempts.get(nameOf(evaluation)) ?? 0;
  }

  add({ row, repeats }: ReplayRow, evaluation: NewEvaluation): void {
    if (!counts(evaluation)) return;
    if (repeats === null) this.#count(evaluation);
    else this.#notHashed.push(row);
  }

  #count(evaluation: NewEvaluation): void {
    const name = nameOf(evaluation);
    this.#attempts.set(name, (this.#attempts.get(name) ?? 0) + 1);
  }
}

const counts = ({ phase, needs }: NewEvaluation): boolean => needs.repeats && phase === 'ACTION';
const nameOf = (evaluation: NewEvaluation): string =>
  exactName({ tool: evaluation.tool, contentHash: evaluation.contentHash() });

/** The most reviews that are kept of a session, or of all actions without one. */
const mostKept = 10_000;

/** The reviews of a replay. Their decisions are the recorded ones. */
export class ReplayedReviews {
  readonly #ofNone = new Map<string, ReplayedReview>();

  #of(session: ReplayedSession | null): Map<string, ReplayedReview> {
    return session?.reviews ?? this.#ofNone;
  }

  /** Keeps the review of an action that it holds. */
  keep(id: string, session: ReplayedSession | null, review: ReplayedReview): void {
    const kept = this.#of(session);
    kept.set(id, review);
    const [oldest] = kept.size > mostKept ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
  }

  has(id: string, session: ReplayedSession | null): boolean {
    return this.#of(session).has(id);
  }

  /** As an evaluation found it; null when nothing is held for it in the replay. */
  named(
    { id, status, isSame }: NamedThen,
    session: ReplayedSession | null,
    evaluation: NewEvaluation,
  ): Loaded['review'] {
    const violations = this.#of(session).get(id)?.violations;
    if (!violations) return null;
    return {
      id,
      status: status === 'EXPIRED' ? 'PENDING' : status,
      sessionId: session?.id ?? null,
      tool: evaluation.tool,
      inputHash: isSame ? evaluation.inputHash() : '',
      violations,
      comment: null,
      decidedAt: null,
      // Whatever the clock says, it is as it was.
      expiresAt: status === 'EXPIRED' ? 0 : Number.MAX_SAFE_INTEGER,
      endsWithSession: false,
      expirySeconds: 0,
    };
  }
}

/** Whether the record of grants has to be asked. */
export const mayHaveUsedGrants = ({ reviewId, enforcementAction }: ReplayRow): boolean =>
  reviewId !== null && letsThrough(enforcementAction);

/** An integration in a replay. */
export class ReplayedIntegration {
  readonly stored: ReplayIntegration;
  readonly tools: DecidingTools;
  readonly counters: MemoryCounters = createMemoryCounters(true);
  /** Actions stopped outside of sessions: see `ReplayedSession`. */
  readonly stopped = new Set<string>();
  readonly #settings: Record<IntegrationSettings['whenNoPolicy'], IntegrationSettings>;

  constructor(stored: ReplayIntegration) {
    this.stored = stored;
    this.tools = toolsOf(stored);
    // The values that messages show are not compared.
    const settings = { ...stored.settings, contentRetention: 'full' as const };
    this.#settings = {
      ALLOW: { ...settings, whenNoPolicy: 'ALLOW' },
      BLOCK: { ...settings, whenNoPolicy: 'BLOCK' },
    };
  }

  /** The settings, with the decision for an action without a policy as it was then where the record says so. */
  settingsFor({ hadNoPolicy }: RecordedVerdict, { wasEnforced }: PoliciesThen): IntegrationSettings {
    if (hadNoPolicy) return this.#settings.BLOCK;
    return this.#settings[wasEnforced ? this.stored.settings.whenNoPolicy : 'ALLOW'];
  }
}

export class ReplayedIntegrations {
  readonly #source: ReplaySource;
  readonly #known = new Map<number, ReplayedIntegration>();

  constructor(source: ReplaySource) {
    this.#source = source;
  }
  of(row: number): ReplayedIntegration {
    let known = this.#known.get(row);
    if (!known) {
      known = new ReplayedIntegration(this.#source.integration(row));
      this.#known.set(row, known);
    }
    return known;
  }
}
