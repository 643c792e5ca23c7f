// The tables and columns of the SQLite store, where `id` is the UUID that callers know. Times are milliseconds since 1970 in UTC;
// JSON is text, to come back as it was given.

export * from './tables/counters.ts';
export * from './tables/evaluation-sessions.ts';
export * from './tables/evaluations.ts';
export * from './tables/events.ts';
export * from './tables/record.ts';
export * from './tables/reviews.ts';
export * from './tables/shared.ts';
export * from './tables/shared.ts';
