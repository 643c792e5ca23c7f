import { AppError } from '../errors.ts';
import type { KeyScope } from '../schemas/integration-keys.ts';

/** Refuses what the key of an integration may not be used for, and names the scope. */
export function assertScope(scopes: readonly KeyScope[], scope: KeyScope): void {
  if (!scopes.includes(scope)) throw new AppError('forbidden', `this needs a key with the scope ${scope}`);
}
