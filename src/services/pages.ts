import type { Page, PageRequest } from '../store/store.ts';

export interface ResponsePage<T> {
  data: T[];
  pagination: { total: number; page: number; size: number };
}

export function responsePage<Stored, Shown>(
  { items, total }: Page<Stored>,
  { page, size }: PageRequest,
  show: (item: Stored) => Shown,
): ResponsePage<Shown> {
  return { data: items.map(show), pagination: { total, page, size } };
}
