import { hash, randomBytes } from 'node:crypto';

export const integrationKeyPrefix = 'asz_live_';
export const operatorKeyPrefix = 'asz_admin_';

/** 256 random bits in base64url. */
const secretPattern = '[A-Za-z0-9_-]{43}';
const integrationKeyPattern = new RegExp(`^${integrationKeyPrefix}${secretPattern}$`);
const operatorKeyPattern = new RegExp(`^${operatorKeyPrefix}${secretPattern}$`);

export const isIntegrationKey = (key: string): boolean => integrationKeyPattern.test(key);
export const isOperatorKey = (key: string): boolean => operatorKeyPattern.test(key);

export const createKey = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** Keys are random, so a plain SHA-256 is as good as a slow hash, and is what a look-up by hash needs. */
export const hashKey = (key: string): string => hash('sha256', key);

/** A key that was sent, with its hash. */
export interface HashedKey {
  key: string;
  hash: string;
}

export const hashedKey = (key: string): HashedKey => ({ key, hash: hashKey(key) });

/** The part of a key that may be shown, to recognise it by: its prefix and 4 of its 43 characters. */
export const keyPrefixOf = (key: string): string => key.slice(0, integrationKeyPrefix.length + 4);

/** The part of an operator key that may be shown: 4 of its 43 characters. */
export const lastFourOf = (key: string): string => key.slice(-4);

/** A signing secret in the form of the Standard Webhooks specification: `whsec_` and 32 random bytes in base64. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
