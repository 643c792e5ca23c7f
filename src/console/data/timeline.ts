import { type Signal, signal } from '@preact/signals';
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
  const loading = new Set<number>();

  async function load(page: number, background: boolean): Promise<void> {
    if (loading.has(page)) return;
    loading.add(page);
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
    } finally {
      loading.delete(page);
    }
  }

  void load(1, false);
  return {
    timeline,
    need(from, to) {
      const found = timeline.value;
      if (!found) return;
      const pages = new Set<number>();
      for (let place = Math.max(0, from); place <= Math.min(to, found.total - 1); place++) {
        if (!found.entries.has(place)) pages.add(Math.floor((found.total - 1 - place) / pageSize) + 1);
      }
      for (const page of pages) void load(page, false);
    },
    refresh: () => void load(1, true),
    stop: () => ended.abort(),
  };
}
