import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import { keyIdOf, publicKeyText } from '../../record/roots.ts';
import type { Store } from '../../store/store.ts';

/** The key that signs the roots of the record. */
export interface InstallationKey {
  key: KeyObject;
  keyId: string;
  /** DER (SubjectPublicKeyInfo) in base64. */
  publicKey: string;
}

/** Loads the key at the first use: a command that signs nothing needs none. `file`: null when it is not known. */
export function createInstallationKey(file: string | null): () => InstallationKey {
  let loaded: InstallationKey | undefined;
  return () => {
    if (file === null)
      throw new AppError(
        'invalid',
        'ASSIZE_RECORD_KEY_FILE: must be given with PostgreSQL, the same key for all replicas',
      );
    loaded ??= loadInstallationKey(file);
    return loaded;
  };
}

/**
 * Loads the Ed25519 key of the installation (PEM, PKCS #8), and makes it at the first start, readable by its owner only. It is
 * a file of its own: whoever can change the database must not thereby be able to sign it. Throws an Error that names the file.
 */
function loadInstallationKey(file: string): InstallationKey {
  let key: KeyObject;
  try {
    key = createPrivateKey(readOrMake(file));
  } catch (cause) {
    throw new Error(`cannot use the key of the record ${file}: ${(cause as Error).message}`, { cause });
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`the key of the record ${file} is not an Ed25519 key`);
  const publicKey = publicKeyText(key);
  return { key, keyId: keyIdOf(publicKey), publicKey };
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  try {
    writeFileSync(file, pem, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(file, 'utf8');
  }
  return pem;
}

/**
 * Replicas sign one record with one key. Refuses one whose file is missing when the record is signed already: it would make a key of its own.
 * Another key that is there may be meant as a new one.
 */
export async function assertNoSecondKey(
  { record }: Pick<Store, 'record'>,
  file: string | null,
): Promise<void> {
  if (file === null || existsSync(file)) return;
  const [first] = await record.listKeys();
  if (first)
    throw new Error(
      `ASSIZE_RECORD_KEY_FILE: ${file} is missing, and the record is signed with the key ${first.keyId}: give this replica the file that the others have`,
    );
}

/** Whether the last root was signed with another key. */
export async function isOtherKey({ record }: Pick<Store, 'record'>, keyId: string): Promise<boolean> {
  const last = await record.findLastRoot();
  return last !== null && last.statement.keyId !== keyId;
}
