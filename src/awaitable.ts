/** A value that is there at once, as a rule because it was in memory, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value: at once when it is there, so that a request that has to wait for nothing passes no promise. An error of `next`
 * is thrown in the first case, and rejects the promise in the second one.
 */
export const chain = <T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> => (value instanceof Promise ? value.then(next) : next(value));
