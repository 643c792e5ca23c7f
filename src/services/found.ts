import { AppError } from '../errors.ts';

/** The one answer for what is missing and for what belongs to another: the caller must not learn which. */
export const notFound = (): AppError => new AppError('not_found', 'not found');

/** The value, or a `not_found` error for null. */
export function found<T>(value: T | null): T {
  if (value === null) throw notFound();
  return value;
}
