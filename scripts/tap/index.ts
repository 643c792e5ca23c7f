import { tap } from '@tapjs/core';
import type { Test } from '@tapjs/test';

export type { Test };

const t = tap();
// biome-ignore lint/style/noDefaultExport: tests import it by this name
export default t;

/** Declares a test of the file. */
export const test: typeof t.test = t.test.bind(t);
