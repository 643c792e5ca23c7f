import { existsSync } from 'node:fs';
import { type CheckResult, warn } from '../../store/check-result.ts';
import { firstKeysFile } from '../first-keys-file.ts';

/** A file of keys that stays beside the database gets into backups of the folder. */
export function lookAtFirstKeys(database: string): CheckResult[] {
  const file = firstKeysFile(database);
  if (!existsSync(file)) return [];
  return [warn('first keys', `${file} holds keys in plain text`, 'keep them elsewhere, and delete it')];
}
