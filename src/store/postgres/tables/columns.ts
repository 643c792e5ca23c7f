import { sql } from 'drizzle-orm';
import { bigint, pgSequence } from 'drizzle-orm/pg-core';

/** Milliseconds since 1970 in UTC. */
export const time = () => bigint({ mode: 'number' });
/** A whole number that may pass 2^31. */
export const big = () => bigint({ mode: 'number' });

/** Numbers everything that is recorded, of whatever kind: what is recorded later in a session has a greater position. */
export const recordPositions = pgSequence('record_positions');

export const position = () => bigint({ mode: 'number' }).notNull().default(sql`nextval('record_positions')`);
