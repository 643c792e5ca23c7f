/** One page of a list, and how many items there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface PageRequest {
  /** From 1. */
  page: number;
  size: number;
}

export const offsetOf = (page: PageRequest): number => (page.page - 1) * page.size;
