// The tables and columns of the SQLite store, where `id` is the UUID that callers know. Times are milliseconds since 1970 in UTC;
// JSON is text, to come back as it was given.

export * from './tables/audit-entries.ts';
export * from './tables/clock.ts';
export * from './tables/commit-marks.ts';
export * from './tables/content-retention.ts';
export * from './tables/counters.ts';
export * from './tables/evaluation-blocks.ts';
export * from './tables/evaluation-sessions.ts';
export * from './tables/evaluations.ts';
export * from './tables/events.ts';
export * from './tables/grants.ts';
export * from './tables/idempotency-keys.ts';
export * from './tables/integration-usage.ts';
export * from './tables/policies.ts';
export * from './tables/policy-sets.ts';
export * from './tables/positions.ts';
export * from './tables/record.ts';
export * from './tables/review-queue.ts';
export * from './tables/reviews.ts';
export * from './tables/session-changes.ts';
export * from './tables/session-trees.ts';
export * from './tables/shared.ts';
export * from './tables/sightings.ts';
export * from './tables/stats.ts';
export * from './tables/violations.ts';
export * from './tables/webhook-deliveries.ts';
