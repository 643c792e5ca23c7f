import type { Page, PageRequest } from '../store/store.ts';
import { inSteps } from './steps.ts';

export interface ResponsePage<T> {
  data: T[];
  pagination: { total: number; page: number; size: number };
}

/** Others are served between large entries. */
export async function responsePage<Stored, Shown>(
  { items, total }: Page<Stored>,
  { page, size }: PageRequest,
  show: (item: Stored) => Shown,
): Promise<ResponsePage<Shown>> {
  return { data: await inSteps(items, show), pagination: { total, page, size } };
}
