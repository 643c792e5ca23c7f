import type { Page, PageRequest } from '../store/store.ts';

export interface AnsweredPage<T> {
  data: T[];
  pagination: { total: number; page: number; size: number };
}

export function answerPage<Stored, Answered>(
  { items, total }: Page<Stored>,
  { page, size }: PageRequest,
  answer: (item: Stored) => Answered,
): AnsweredPage<Answered> {
  return { data: items.map(answer), pagination: { total, page, size } };
}
