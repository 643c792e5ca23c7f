import { readFileSync } from 'node:fs';
import { readSecretKeys } from '../services/secrets/secret-box.ts';
import type { Settings } from './settings.ts';

/** The keys that encrypt stored secrets, first the one that encrypts; none without a setting. Adds to `mistakes` what is wrong. */
export function readSecretsKeys(
  { ASSIZE_SECRETS_KEY: key, ASSIZE_SECRETS_KEY_FILE: file }: Partial<Settings>,
  mistakes: string[],
): Buffer[] {
  if (key && file) {
    mistakes.push('ASSIZE_SECRETS_KEY_FILE: must not be set together with ASSIZE_SECRETS_KEY');
    return [];
  }
  const name = file ? 'ASSIZE_SECRETS_KEY_FILE' : 'ASSIZE_SECRETS_KEY';
  const text = file ? readKeyFile(file, mistakes) : (key ?? null);
  if (text === null) return [];
  const keys = readSecretKeys(text);
  if (!keys) mistakes.push(`${name}: must be keys of 32 bytes in base64, separated by commas or lines`);
  return keys ?? [];
}

function readKeyFile(file: string, mistakes: string[]): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    mistakes.push(`ASSIZE_SECRETS_KEY_FILE: cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    return null;
  }
}
