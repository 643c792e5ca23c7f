import type { KeyScope } from '../../../features/integrations/words.ts';
import { words } from '../../strings/index.ts';

export type { KeyScope } from '../../../features/integrations/words.ts';

/** In the order of a choice. The record keeps it complete: a new scope does not compile until it is here. */
const scopes: Record<KeyScope, true> = {
  evaluate: true,
  'sessions:open': true,
  'sessions:end': true,
  read: true,
};
export const keyScopes = Object.keys(scopes) as KeyScope[];

/** One word when a key may be used for everything. */
export function scopeNames(given: readonly KeyScope[]): string {
  const { keys: text } = words.value.integrations;
  return given.length === keyScopes.length
    ? text.everything
    : given.map((scope) => text.scopeNames[scope]).join(', ');
}
