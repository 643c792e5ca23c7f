import { type Signal, signal } from '@preact/signals';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import type { ListedEvaluation } from '../../schemas/evaluations.ts';
import { type ApiError, apiErrorOf, call } from './api.ts';

/** The evaluations of a session, oldest first; those that were not scrolled to yet are absent. */
export interface Timeline {
  total: number;
  /** By place, from 0 for the oldest. */
  entries: ReadonlyMap<number, ListedEvaluation>;
  error: ApiError | null;
}

const pageSize = 100;

export interface TimelineLoader {
  timeline: Signal<Timeline | null>;
  /** Loads what is missing between two places. */
  need(from: number, to: number): void;
  /** Loads everything. Throws ApiError. */
  loadAll(): Promise<void>;
  /** Loads what came since. */
  refresh(): void;
  stop(): void;
}

/**
 * The service lists newest first, in pages; the newest page moves with every new evaluation. Pages are asked for by their
 * place from the end, and each is kept by its place from the beginning, which never changes.
 */
export function openTimeline(sessionId: string): TimelineLoader {
  const timeline = signal<Timeline | null>(null);
  const ended = new AbortController();
  const loading = new Map<number, Promise<void>>();

  function load(page: number, background: boolean): Promise<void> {
    const begun = loading.get(page) ?? read(page, background).finally(() => loading.delete(page));
    loading.set(page, begun);
    return begun;
  }

  async function read(page: number, background: boolean): Promise<void> {
    try {
      const { data, pagination } = await call<ListedEvaluation[]>(
        `/v1/evaluation-sessions/${sessionId}/evaluations`,
        { query: { page, size: pageSize }, background, signal: ended.signal },
      );
      const entries = new Map(timeline.value?.entries);
      data.forEach((entry, place) => {
        entries.set(pagination.total - 1 - (page - 1) * pageSize - place, entry);
      });
      // A page that was asked for earlier may arrive later.
      const total = Math.max(pagination.total, timeline.value?.total ?? 0);
      timeline.value = { total, entries, error: null };
    } catch (error) {
      if (ended.signal.aborted) return;
      const known = apiErrorOf(error);
      timeline.value = { total: 0, entries: new Map(), ...timeline.value, error: known };
    }
  }

  /** The pages of what is missing between two places. */
  function missingPages(from: number, to: number): number[] {
    const found = timeline.value;
    if (!found) return [];
    const pages = new Set<number>();
    for (let place = Math.max(0, from); place <= Math.min(to, found.total - 1); place++) {
      if (!found.entries.has(place)) pages.add(Math.floor((found.total - 1 - place) / pageSize) + 1);
    }
    return [...pages];
  }

  void load(1, false);
  return {
    timeline,
    need(from, to) {
      for (const page of missingPages(from, to)) void load(page, false);
    },
    async loadAll() {
      // Evaluations that come meanwhile move the pages: what is missing is looked up again after each.
      for (;;) {
        const [page] = missingPages(0, Number.POSITIVE_INFINITY);
        if (page === undefined) return;
        await load(page, false);
        if (timeline.value?.error) throw timeline.value.error;
      }
    },
    refresh: () => void load(1, true),
    stop: () => ended.abort(),
  };
}

interface FlowStep {
  id: string;
  seq: number;
  tool: string;
  action: EnforcementAction;
  tags: readonly string[];
}

/** A kind of data on its way through a session: from the step that first contained it to the last step. */
interface FlowLane {
  tag: string;
  from: number;
  /** Steps that contained it. */
  at: readonly number[];
}

export interface FlowOfData {
  steps: readonly FlowStep[];
  lanes: readonly FlowLane[];
}

/** The flow through these evaluations of a session, which are in its order. Kinds of data in the order of their first step. */
export function flowOf(evaluations: readonly ListedEvaluation[]): FlowOfData {
  const steps = evaluations
    .filter(({ phase }) => phase === 'ACTION')
    .map((one) => ({
      id: one.evaluationRunId,
      seq: one.seq ?? 0,
      tool: one.tool ?? one.targetKey ?? '–',
      action: one.enforcementAction,
      tags: one.dataTags,
    }));
  const places = new Map<string, number[]>();
  steps.forEach((step, place) => {
    for (const tag of step.tags) places.set(tag, [...(places.get(tag) ?? []), place]);
  });
  const lanes = [...places].map(([tag, at]) => ({ tag, from: at[0] ?? 0, at }));
  return { steps, lanes };
}
