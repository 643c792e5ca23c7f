import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { AT_SIGN, BLANK, COLON_SIGN, LEFT_PARENTHESIS, SLASH } from '../text/ascii.ts';
import { ALNUM } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { QUOTE } from './labels.ts';
import { isExample, isReference } from './locator.ts';

const CONNECTION = tagId('CONNECTION_STRING');
/** Characters of user and password, and of all of it. */
const MAX_LOGIN = 128;
const MAX_SOURCE = 512;
const NETWORKS = ['tcp', 'tcp4', 'tcp6', 'unix', 'cloudsql', 'cloudsqlconn'];
const ORACLE = 'jdbc:oracle:';

/**
 * The name of a data source with user and password whose @ is at `at`: of Go's drivers (`app:secret@tcp(db:3306)/shop`, in
 * quotes also `app:secret@/shop`), of Oracle's thin driver (`jdbc:oracle:thin:app/secret@//db:1521/shop`). Returns where
 * it ends, or 0.
 */
export function dataSource(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const isNetwork = NETWORKS.some(
    (name) => isAt(b, at + 1, name) && b[at + 1 + name.length] === LEFT_PARENTHESIS,
  );
  if (!isNetwork && !mayBeOther(b, at)) return 0;
  let from = at;
  // not past another @: a text of them would be read once for each
  while (at - from < MAX_LOGIN && b[from - 1] !== AT_SIGN && !ends(byteAt(b, from - 1))) from--;
  const isOracle = !isNetwork && isAt(b, from, ORACLE);
  const user = isOracle ? lastColon(b, from, at) + 1 : from;
  const separator = isOracle ? SLASH : COLON_SIGN;
  let colon = user;
  while (colon < at && b[colon] !== separator) colon++;
  // of a URL, locator() has judged user and password
  if (isAt(b, colon, '://')) return 0;
  if (colon === user || at - colon < 2 || isReference(b, colon + 1) || isExample(pass, user, colon, at))
    return 0;
  if (!isNetwork && !isOracle && QUOTE[byteAt(b, from - 1)] !== 1) return 0;
  let to = at;
  while (to - from < MAX_SOURCE && !ends(byteAt(b, to))) to++;
  if (!isNetwork && !isOracle && QUOTE[byteAt(b, to)] !== 1) return 0;
  pass.found(CONNECTION, CHECKSUM, from, to);
  return to;
}

/** Whether the name of a database follows, or an address of Oracle. */
function mayBeOther(b: Uint8Array, at: number): boolean {
  return b[at + 1] === SLASH && (b[at + 2] === SLASH || is(b, at + 2, ALNUM));
}

function lastColon(b: Uint8Array, from: number, at: number): number {
  let i = at;
  while (i > from && b[i] !== COLON_SIGN) i--;
  return i;
}

function ends(c: number): boolean {
  return c <= BLANK || QUOTE[c] === 1;
}
