import { sql } from 'drizzle-orm';
import { bigint, pgSequence } from 'drizzle-orm/pg-core';

/** Numbers everything that is recorded, of whatever kind: what is recorded later in a session has a greater position. */
export const recordPositions = pgSequence('record_positions');

export const position = () => bigint({ mode: 'number' }).notNull().default(sql`nextval('record_positions')`);
