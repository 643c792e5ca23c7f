import { AppError } from '../errors.ts';

/** The refusal of a change whose caller read an earlier version. */
export const outdated = (): AppError =>
  new AppError('precondition_failed', 'it was changed since: read it again, and send its ETag as If-Match');

/** The result of a change, unless it was refused as outdated. */
export function asExpected<T>(result: T | 'outdated'): T {
  if (result === 'outdated') throw outdated();
  return result as T;
}
