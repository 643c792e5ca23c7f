import type { ApiResponse, Pagination } from './response.ts';

export interface PageRequest {
  /** From 1; default 1. */
  page?: number;
  /** 1 to 200; default 50. */
  size?: number;
}

export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

export function pageOf<T>({ data, pagination }: ApiResponse<T[]>): Page<T> {
  return { data, pagination: pagination ?? { total: data.length, page: 1, size: data.length } };
}
