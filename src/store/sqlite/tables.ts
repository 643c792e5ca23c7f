// Every table is STRICT (the migrations say so; drizzle has no word for it). Rows are joined by integer keys,
// which halves the cost of an insert beside text keys; `uid` is the UUID that callers see.
// Times are milliseconds since 1970 in UTC.

export {
  bindings,
  housePolicies,
  integrationKeys,
  integrations,
  policies,
  policyVersionLists,
  policyVersions,
} from '../../sql/sqlite/tables.ts';
export * from './tables/counters.ts';
export * from './tables/evaluation-sessions.ts';
export * from './tables/evaluations.ts';
export * from './tables/events.ts';
export * from './tables/record.ts';
export * from './tables/reviews.ts';
export * from './tables/shared.ts';
