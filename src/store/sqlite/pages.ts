import type { PageRequest } from '../store.ts';

export const offsetOf = (page: PageRequest): number => (page.page - 1) * page.size;
