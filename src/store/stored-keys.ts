import type { KeyScope } from '../schemas/integration-keys.ts';
import type { StoredIntegrationKey } from './integration-keys.ts';

export type KeyRow = Omit<StoredIntegrationKey, 'integrationId' | 'scopes'> & { scopes: string };

export const toIntegrationKey = (
  { scopes, ...row }: KeyRow,
  integrationId: string,
): StoredIntegrationKey => ({
  ...row,
  integrationId,
  scopes: JSON.parse(scopes) as KeyScope[],
});

/** Neither revoked nor expired. */
export const isLive = ({ revokedAt, expiresAt }: StoredIntegrationKey, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);
