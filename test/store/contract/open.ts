import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';

/** Gives a new empty store, closed after the test. */
export type Open = (t: Test) => Promise<Store>;

export const page = { page: 1, size: 50 };
/** An id that nothing has. */
export const missing = '00000000-0000-4000-9000-000000000000';
/** Bytes beyond which lists leave texts out: more than these tests store. */
export const wide = 1_000_000;
