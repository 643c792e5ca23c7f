import type { evaluationSessions, sessionStates } from '../../store/sqlite/tables/evaluation-sessions.ts';
import type { SessionAction } from '../../store/store.ts';
import type { CountedScope } from '../counters/scope.ts';
import { attemptCountsOf, countToolNames, type SessionProgress } from '../session.ts';
import { parsePlace, rootIdOf, type SessionPlace } from '../session-places.ts';
import type { SeenIdentifiers } from './seen-identifiers.ts';

type SessionRow = typeof evaluationSessions.$inferSelect;
type StateRow = Omit<typeof sessionStates.$inferSelect, 'sessionId'>;

/** Reads the counts of a session that have rows of their own, in the order of first use. */
type ReadFurtherTools = (sessionRow: number) => readonly { tool: string; callCount: number }[];

/** Reads rows of a session that most evaluations do not need. */
export interface FurtherRows {
  readonly tools: ReadFurtherTools;
  readonly stoppedTools: ReadFurtherTools;
  recentActions(lastActionId: number | null): SessionAction[];
}

/** Most sessions have no names: they share a list, as lists are replaced and never changed. */
const noNames: string[] = [];
Object.freeze(noNames);
const parseNames = (text: string): string[] => (text === '[]' ? noNames : (JSON.parse(text) as string[]));
const noActions: readonly SessionAction[] = [];

/** The progress of a session, kept in memory between evaluations, and always equal to its rows. */
export class SessionState implements SessionProgress {
  readonly row: SessionRow;
  /** When the first of its children is over; null when that has to be looked up. */
  nextEndBelow: number | null = null;
  readonly #further: FurtherRows;
  actionCount: number;
  otherCount: number;
  warningCount: number;
  blockCount: number;
  reviewCount: number;
  rejectionCount: number;
  dataTags: string[];
  labels: string[];
  monitoredLabels: string[];
  sightingCount: number;
  sightingsFull: boolean;
  #seen: SeenIdentifiers | null = null;
  #openSightings: Buffer | null;
  readonly #sightingBlocks: number;
  toolNameCount: number;
  readonly tools: SplitCounts;
  readonly stopped: SplitCounts;
  /** `settle` knows the tree that the session is in. */
  readonly tree = null;
  #place: SessionPlace | null = null;
  #attemptCounts: ReadonlyMap<string, number> | null = null;
  lastEvaluationId: number | null;
  lastActionId: number | null;
  #counters: CountedScope | null = null;
  /** Whether its end is noted, at which what they keep is deleted. */
  hasCounters: boolean;
  #counterBytes: Buffer | null;
  /** The head of its chain in the record; the hash is null until there is an entry. */
  chainSeq: number;
  chainHash: string | null;
  recentActions = noActions;
  hasRecentActions = false;
  /** Length of the counters as they were last written, in bytes: encoding them is not free. */
  counterByteLength: number;
  /** The memory, in bytes, that it was last estimated to take (`KeptLimits`). */
  keptBytes = 0;
  /** As its row has them. */
  written: SeldomChanged;

  constructor(row: SessionRow, state: StateRow, further: FurtherRows) {
    this.row = row;
    this.#further = further;
    this.actionCount = state.actionCount;
    this.otherCount = state.otherCount;
    this.warningCount = state.warningCount;
    this.blockCount = state.blockCount;
    this.reviewCount = state.reviewCount;
    this.rejectionCount = state.rejectionCount;
    this.dataTags = parseNames(state.dataTags);
    this.labels = parseNames(state.labels);
    this.monitoredLabels = parseNames(state.monitoredLabels);
    this.sightingCount = state.sightingCount;
    this.sightingsFull = state.sightingsFull !== 0;
    this.#openSightings = state.sightings;
    this.#sightingBlocks = state.sightingBlocks;
    this.tools = new SplitCounts(state.toolCounts, row.id, further.tools);
    this.stopped = new SplitCounts(state.stoppedCounts, row.id, further.stoppedTools);
    this.toolNameCount = countToolNames(this);
    this.lastEvaluationId = state.lastEvaluationId;
    this.lastActionId = state.otherCount === 0 ? state.lastEvaluationId : state.lastActionId;
    this.#counterBytes = state.counters;
    this.counterByteLength = state.counters?.length ?? 0;
    this.hasCounters = state.counters !== null;
    this.chainSeq = state.chainSeq;
    this.chainHash = state.chainHash;
    this.written = new SeldomChanged(this);
  }

  /** How many evaluations were recorded, of whatever phase. */
  get recordCount(): number {
    return this.actionCount + this.otherCount;
  }
  /** The action that the next evaluation links to besides the last evaluation: null when the last one is an action, 0 for none. */
  get previousActionId(): number | null {
    return this.lastActionId === this.lastEvaluationId ? null : (this.lastActionId ?? 0);
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return this.tools.counts;
  }
  get stoppedCounts(): ReadonlyMap<string, number> {
    return this.stopped.counts;
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    this.#attemptCounts ??= attemptCountsOf(this);
    return this.#attemptCounts;
  }
  /** The cells of counters over this session, once an evaluation has asked for them. */
  get counters(): CountedScope | null {
    return this.#counters;
  }
  set counters(scope: CountedScope) {
    this.#counters = scope;
    this.#counterBytes = null;
  }
  /** As they are written. */
  get counterBytes(): Buffer | null {
    return this.#counters ? this.#counters.bytes : this.#counterBytes;
  }
  /** The identifiers that the session has seen, once an evaluation has asked for them. */
  get seen(): SeenIdentifiers | null {
    return this.#seen;
  }
  set seen(seen: SeenIdentifiers) {
    this.#seen = seen;
    this.#openSightings = null;
  }
  /** As they are written. */
  get openSightings(): Buffer | null {
    return this.#seen ? this.#seen.open : this.#openSightings;
  }
  get sightingBlocks(): number {
    return this.#seen ? this.#seen.blockCount : this.#sightingBlocks;
  }
  addToolCount(name: string): void {
    this.tools.add(name, this.actionCount);
    this.#attemptCounts = null;
  }
  addStoppedCount(name: string): void {
    this.stopped.add(name, this.actionCount);
    this.#attemptCounts = null;
  }
  get id(): string {
    return this.row.uid;
  }
  get place(): SessionPlace | null {
    this.#place ??= parsePlace(this.row.parentUid, this.row.place);
    return this.#place;
  }
  get rootId(): string {
    return rootIdOf(this);
  }
  get parentId(): string | null {
    return this.row.parentUid;
  }
  get depth(): number {
    return this.place?.depth ?? 0;
  }
  get entityId(): string | null {
    return this.row.entityId;
  }
  get metadata(): string {
    return this.row.metadata;
  }
  get startedAt(): number {
    return this.row.startedAt;
  }
  get status(): SessionRow['status'] {
    return this.row.status;
  }
  get endedAt(): number | null {
    return this.row.endedAt;
  }
  get expiresAt(): number {
    return this.row.expiresAt;
  }
  /** Read from the rows once, and kept up from then on. */
  readRecentActions(): readonly SessionAction[] {
    if (!this.hasRecentActions) {
      this.recentActions = this.#further.recentActions(this.lastActionId);
      this.hasRecentActions = true;
    }
    return this.recentActions;
  }
}

/** The columns of a state that few evaluations change. */
export class SeldomChanged {
  readonly warningCount: number;
  readonly blockCount: number;
  readonly reviewCount: number;
  readonly rejectionCount: number;
  readonly otherCount: number;
  /** The lists of a state are replaced, never changed. */
  readonly dataTags: readonly string[];
  readonly labels: readonly string[];
  readonly monitoredLabels: readonly string[];
  readonly stoppedCounts: string;
  readonly sightingsFull: boolean;
  readonly sightingBlocks: number;
  readonly hasSightings: boolean;

  constructor(state: Readonly<SessionState>) {
    this.warningCount = state.warningCount;
    this.blockCount = state.blockCount;
    this.reviewCount = state.reviewCount;
    this.rejectionCount = state.rejectionCount;
    this.otherCount = state.otherCount;
    this.dataTags = state.dataTags;
    this.labels = state.labels;
    this.monitoredLabels = state.monitoredLabels;
    this.stoppedCounts = state.stopped.text;
    this.sightingsFull = state.sightingsFull;
    this.sightingBlocks = state.sightingBlocks;
    this.hasSightings = state.sightingCount > 0;
  }

  /** Whether the state still has these values. */
  areOf(state: Readonly<SessionState>): boolean {
    return (
      this.warningCount === state.warningCount &&
      this.blockCount === state.blockCount &&
      this.reviewCount === state.reviewCount &&
      this.rejectionCount === state.rejectionCount &&
      this.otherCount === state.otherCount &&
      this.dataTags === state.dataTags &&
      this.labels === state.labels &&
      this.monitoredLabels === state.monitoredLabels &&
      this.stoppedCounts === state.stopped.text &&
      this.sightingsFull === state.sightingsFull &&
      this.sightingBlocks === state.sightingBlocks &&
      this.hasSightings === state.sightingCount > 0
    );
  }
}

/** Tools counted in the session's own row; further ones get rows of their own. */
export const toolsInRow = 32;

const noCounts: ReadonlyMap<string, number> = new Map();

/** Counts by tool. The first tools are kept in one text of the session's row, so that most sessions need no other. */
export class SplitCounts {
  /** Null while nothing was counted. */
  #counts: Map<string, number> | null = null;
  /** Tools whose rows must be written, each with the action that was, or may have been, its first; null for none. */
  #further: Map<string, number> | null = null;
  #text: string | null;

  constructor(text: string, sessionRow: number, readFurther: ReadFurtherTools) {
    this.#text = text;
    if (text === '[]') return;
    this.#counts = new Map(JSON.parse(text) as [string, number][]);
    if (this.#counts.size < toolsInRow) return;
    for (const { tool, callCount } of readFurther(sessionRow)) this.#counts.set(tool, callCount);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts ?? noCounts;
  }

  add(tool: string, seq: number): void {
    this.#counts ??= new Map();
    this.#counts.set(tool, (this.#counts.get(tool) ?? 0) + 1);
    if (this.#isInRow(tool)) this.#text = null;
    else {
      this.#further ??= new Map();
      if (!this.#further.has(tool)) this.#further.set(tool, seq);
    }
  }

  /** The tools whose rows must be written since the last call, each with its first action; null for none. */
  takeFurther(): ReadonlyMap<string, number> | null {
    const further = this.#further;
    this.#further = null;
    return further;
  }

  /** A Map keeps the order of first use. */
  #isInRow(tool: string): boolean {
    if (this.counts.size <= toolsInRow) return true;
    let place = 0;
    for (const name of this.counts.keys()) {
      if (place++ === toolsInRow) return false;
      if (name === tool) return true;
    }
    return false;
  }

  /** JSON of the tools in the row. */
  get text(): string {
    this.#text ??= this.#write();
    return this.#text;
  }
  #write(): string {
    let text = '';
    let left = toolsInRow;
    for (const [tool, count] of this.counts) {
      if (left-- === 0) break;
      text += `${text === '' ? '' : ','}[${JSON.stringify(tool)},${count}]`;
    }
    return `[${text}]`;
  }
}
