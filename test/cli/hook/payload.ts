import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hook input in the documented form, with some of its fields changed. */
export const payload = (name: string, change: object = {}, agent = 'claude-code'): string => {
  const text = readFileSync(join(import.meta.dirname, `../../fixtures/${agent}/${name}.json`), 'utf8');
  return JSON.stringify({ ...JSON.parse(text), ...change });
};
