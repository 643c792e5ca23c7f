import type { UnprotectedIntegration } from '../features/policies/store-enforcement.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { ExaminedBy } from './maintenance.ts';

// What `assize doctor` says of what is in a database, for every backend.

/** Integrations that are named at most. */
const mostNamed = 5;
const everyAction = { ALLOW: 'everything is allowed', BLOCK: 'everything is blocked' } as const;

export function examinePolicies(unprotected: readonly UnprotectedIntegration[]): CheckResult {
  const check = 'policies';
  if (unprotected.length === 0) return ok(check, 'one is enforced for every integration');
  const described = ({ name, settings }: UnprotectedIntegration) =>
    `${name} (${everyAction[settings.whenNoPolicy]})`;
  const names = unprotected.slice(0, mostNamed).map(described).join(', ');
  const more = unprotected.length > mostNamed ? ` and ${unprotected.length - mostNamed} more` : '';
  return warn(
    check,
    `none is enforced for ${names}${more}`,
    'bind one: assize integrations bind; or to all of them: PUT /v1/house-policies/:id',
  );
}

/**
 * Addresses and secrets of webhooks are readable in the database, and in every backup of it, unless a key encrypts them.
 * `sealed`: how many are encrypted.
 */
export function examineSecrets(
  { sealed, webhooks }: { sealed: number; webhooks: number },
  { hasSecretsKey }: Pick<ExaminedBy, 'hasSecretsKey'>,
): CheckResult {
  const check = 'secrets';
  if (sealed > 0 && !hasSecretsKey) {
    return fail(
      check,
      'those stored are encrypted, and no key is set',
      'set ASSIZE_SECRETS_KEY to the key that was used',
    );
  }
  if (hasSecretsKey || webhooks === 0)
    return ok(check, hasSecretsKey ? 'are encrypted' : 'no webhook has any');
  return warn(
    check,
    `those of ${webhooks === 1 ? 'a webhook' : `${webhooks} webhooks`} are stored in plain text`,
    'set ASSIZE_SECRETS_KEY, and start the service: it encrypts them',
  );
}
