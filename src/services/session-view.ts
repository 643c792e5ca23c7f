import { countsSeen, type Subject } from '../engine/index.ts';
import { parseJson } from '../json/parse.ts';
import type { SessionContext } from '../store/store.ts';

/** The session's context in the form that rules read. What is costly to make is made when a rule first reads it. */
export class SessionView implements SessionShape {
  readonly #context: SessionContext;
  readonly #mentioned: ReadonlySet<string>;
  readonly id: string;
  readonly entityId: string | null;
  readonly startedAt: number;
  readonly actionCount: number;
  readonly warningCount: number;
  readonly blockCount: number;
  readonly reviewCount: number;
  #metadata: Record<string, unknown> | undefined;

  /** `mentioned`: the names of tools that the policies could look for. */
  constructor(context: SessionContext, mentioned: ReadonlySet<string>) {
    this.#context = context;
    this.#mentioned = mentioned;
    this.id = context.id;
    this.entityId = context.entityId;
    this.startedAt = context.startedAt;
    this.actionCount = context.actionCount;
    this.warningCount = context.warningCount;
    this.blockCount = context.blockCount;
    this.reviewCount = context.reviewCount;
  }

  get dataTags(): readonly string[] {
    return this.#context.dataTags;
  }
  get toolCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#context.toolCounts, this.#mentioned);
  }
  get attemptCounts(): ReadonlyMap<string, number> {
    return countsSeen(this.#context.attemptCounts, this.#mentioned);
  }
  get toolsUsed(): readonly string[] {
    return [...this.#context.toolCounts.keys()];
  }
  get metadata(): Record<string, unknown> {
    this.#metadata ??= parseJson(this.#context.metadata) as Record<string, unknown>;
    return this.#metadata;
  }
  get recentActions(): SessionShape['recentActions'] {
    return this.#context.recentActions.map((action) => ({ ...action, targetKey: action.targetKey ?? '' }));
  }
}

type SessionShape = Subject['session'];
