/** One page of a list, and how many items there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

/**
 * Lists that grow with what happens count so many items: `total` is one more when there are more. Counting all of them would
 * hold up other requests.
 */
export const mostCounted = 10_000;

export interface PageRequest {
  /** From 1. */
  page: number;
  size: number;
}

export const offsetOf = (page: PageRequest): number => (page.page - 1) * page.size;
