import type { CheckedDocument } from './check-job.ts';

/**
 * The findings of a check of each starter policy where no shared list exists, by the SHA-256 of its text. Empty when run from sources: a
 * build puts the results in (scripts/build/lean-packages.mjs).
 */
export const checkedStarters: Readonly<Record<string, CheckedDocument>> = {};
