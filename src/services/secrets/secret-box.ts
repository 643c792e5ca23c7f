import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Encrypts what must be read again, such as secrets that sign: AES-256-GCM, bound to where the text belongs. */
export interface SecretBox {
  /** Text that only `open` with the same `place` reads; the text itself when there is no key. */
  seal(text: string, place: string): string;
  /** Throws when no key opens it, when it was changed, or when it belongs to another place. A text that was never sealed is itself. */
  open(sealed: string, place: string): string;
  /** Whether it is to be sealed again: not at all yet, or with a key that is not the first any more, or not there. */
  isOutdated(sealed: string): boolean;
}

export class SecretUnreadable extends Error {}

/** Null when no key opens it, or it was changed. */
export function openIfReadable(box: SecretBox, sealed: string, place: string): string | null {
  try {
    return box.open(sealed, place);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** Where the webhook secret of an integration belongs. */
export const integrationSecretPlace = (id: string): string => `integrations/${id}/webhook-secret`;

/** The size of a key in bytes. */
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const prefix = 'sealed:';

/** Reads keys as settings give them: 32 bytes in base64 each, the first one encrypts. Null when one is malformed. */
export function readSecretKeys(text: string): Buffer[] | null {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => (/^[A-Za-z0-9+/_-]+={0,2}$/.test(part) ? Buffer.from(part, 'base64') : null));
  return keys.length > 0 && keys.every((key) => key?.length === keyBytes) ? (keys as Buffer[]) : null;
}

/** Names a key without showing it. */
const keyId = (key: Buffer): string => hash('sha256', key).slice(0, 8);

export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const [first] = keys;
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const current = first ? `${prefix}${keyId(first)}:` : null;

  return {
    seal(text, place) {
      if (!first || current === null) return text;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return current + sealed.toString('base64');
    },

    open(sealed, place) {
      if (!sealed.startsWith(prefix)) return sealed;
      const [, id = '', body = ''] = sealed.split(':');
      const key = byId.get(id);
      if (!key) throw new SecretUnreadable('no key in ASSIZE_SECRETS_KEY opens a stored secret');
      const bytes = Buffer.from(body, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SecretUnreadable('a stored secret was changed', { cause });
      }
    },

    isOutdated: (sealed) => (current === null ? sealed.startsWith(prefix) : !sealed.startsWith(current)),
  };
}
