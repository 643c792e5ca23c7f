import type { Pass } from '../pass.ts';
import { BLANK, COLON_SIGN, HYPHEN, LINE_FEED, VERTICAL_BAR } from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import { echoed, secretWord, skipBlanks } from './command-words.ts';

/** `user:password` that is given to chpasswd: by a pipe, a here-string or a here-document. */
export function changedPasswords(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let i = to;
  while (b[i] === BLANK) i++;
  if (b[i] === 60 && b[i + 1] === 60 && b[i + 2] === 60) {
    i += 3;
    while (b[i] === BLANK) i++;
    return secretWord(pass, i, ':');
  }
  if (b[i] === 60 && b[i + 1] === 60) {
    while (b[i] !== LINE_FEED && b[i] !== 0) i++;
    return secretWord(pass, i + 1, ':');
  }
  if (b[i] === COLON_SIGN) return listedPasswords(pass, i + 1);
  let bar = from - 1;
  while (from - bar < 30 && b[bar] !== VERTICAL_BAR && b[bar] !== LINE_FEED) bar--;
  return b[bar] === VERTICAL_BAR && echoed(pass, bar, ':') ? to : 0;
}

const LIST = 'list:';
const MAX_LISTED = 32;

/** cloud-init: the lines `user:password` of `chpasswd:` and `list: |`, which begins behind `at`. Returns `at`, or 0. */
function listedPasswords(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let line = at;
  while (line - at < MAX_LISTED && byteAt(b, line) <= BLANK && b[line] !== 0) line++;
  if (!isAt(b, line, LIST)) return 0;
  let found = 0;
  for (let count = 0; count < MAX_LISTED; count++) {
    while (byteAt(b, line) >= BLANK) line++;
    if (b[line] !== LINE_FEED) break;
    line = skipBlanks(b, line + 1);
    if (b[line] === HYPHEN) line = skipBlanks(b, line + 1);
    if (secretWord(pass, line, ':') !== 0) found = at;
  }
  return found;
}
