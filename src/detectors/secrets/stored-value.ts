import type { Pass } from '../pass.ts';
import { AT_SIGN, BLANK, EQUALS_SIGN, HYPHEN } from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import type { Label } from './classifier.ts';
import { secretWord, skipBlanks } from './command-words.ts';
import { QUOTE } from './labels.ts';
import { secretValue } from './secret-value.ts';

const MAX_PATH = 128;
/** How far behind the name of a parameter its value may be given. */
const MAX_FLAGS = 80;
/** Words of commands after which a key stands, with its value behind it. */
const WRITES = [' put', ' set', ' mk', ' create', ' update', ' upsert'];
/** Flags after which a name stands, and those that give its value. */
const NAMES = ['--name', '--key', '--secret-id', '--secret-name'];
const VALUES = ['--value', '--secret-string', '--data'];

/**
 * The secret that a command keeps under a path whose last part is the label from `from` to `to`: `consul kv put
 * app/db/password v`, `etcdctl put /app/token v`, `aws ssm put-parameter --name /app/db/password --value v`. Returns where
 * it ends, or 0.
 */
export function storedValue(pass: Pass, label: Label, from: number, to: number): number {
  const b = pass.text.bytes;
  let path = from;
  while (from - path < MAX_PATH && byteAt(b, path - 1) > BLANK && QUOTE[byteAt(b, path - 1)] !== 1) path--;
  if (QUOTE[byteAt(b, path - 1)] === 1) path--;
  if (b[path - 1] !== BLANK && b[path - 1] !== EQUALS_SIGN) return 0;
  const before = path - 1;
  const at = QUOTE[byteAt(b, to)] === 1 ? to + 1 : to;
  if (b[at] !== BLANK) return 0;
  if (WRITES.some((word) => isAt(b, before - word.length, word))) {
    const value = skipBlanks(b, at);
    return b[value] === HYPHEN || b[value] === AT_SIGN ? 0 : secretValue(pass, label, value, 'flag');
  }
  return NAMES.some((flag) => isAt(b, before - flag.length, flag)) ? valueFlag(pass, at) : 0;
}

/** The argument of the flag that gives the value, behind `at` in the same command. */
function valueFlag(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < MAX_FLAGS && byteAt(b, i) >= BLANK; i++) {
    if (b[i] !== HYPHEN || b[i - 1] !== BLANK) continue;
    for (const flag of VALUES)
      if (isAt(b, i, flag) && (b[i + flag.length] === BLANK || b[i + flag.length] === EQUALS_SIGN))
        return secretWord(pass, i + flag.length + 1, null);
  }
  return 0;
}
