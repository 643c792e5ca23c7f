import { bigint } from 'drizzle-orm/pg-core';

/** Milliseconds since 1970 in UTC. */
export const time = () => bigint({ mode: 'number' });
/** A whole number that may pass 2^31. */
export const big = () => bigint({ mode: 'number' });
