import { answer, formSecret } from '../commands/command-forms.ts';
import { isSecretKind, MAX_LABEL } from '../labels/classifier.ts';
import { isLabelByte, isMention, labelBefore } from '../labels/labels.ts';
import { spottedSpelling, spottedWord } from '../labels/trigger-words.ts';
import type { Pass } from '../pass.ts';
import { givenName } from '../people/person-value.ts';
import { insertedValues } from '../tables/inserted-rows.ts';
import { ALNUM, byteAt, classAt, IDEOGRAPH, is, isAt, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { spelledEmail } from '../tokens/email.ts';
import { hashAt } from '../tokens/password-hash.ts';
import { vendorToken } from '../tokens/vendor-tokens.ts';
import { spokenValue } from './spoken-value.ts';
import { isProse } from './stated-value.ts';
import { storedValue, valueAfter } from './value-after.ts';

/** The prompt that scripts of expect wait for: its first letter may be a capital. */
const PROMPT = 'assword:';

/** The header of HTTP that carries credentials. */
const HEADER = 'authorization';

/** The words before the name of a table: INSERT INTO, UPSERT INTO. */
const INTO = 'sert into ';

/** A label that is the end of many words. */
const SHORT = 'pw';

/** Continues `parola` to a phrase that is no password. */
const OF_ORDERS = " d'ordine";

/** The beginnings of AWS's access key ids, in lower case. */
const ACCESS_KEYS = ['akia', 'asia'];

/** The first characters of `(at)` and `[at]`. */
const BRACKETS: readonly number[] = [Char.LEFT_PARENTHESIS, Char.LEFT_BRACKET];

/** The secret whose label has the pair of letters at `at`. Returns where it ends, 0 when there is none. */
export function spottedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const word = spottedWord(b, at);
  if (word < pass.spottedEnd) return 0;
  if (b[word] === Char.LEFT_BRACE) return hashAt(pass, word);
  // one in thirty has no digit, at which tokens are looked for
  if (ACCESS_KEYS.some((prefix) => isAt(b, word, prefix)))
    return is(b, word - 1, WORD) ? 0 : vendorToken(pass, word);
  if (BRACKETS.includes(byteAt(b, word))) return spelledEmail(pass, word);
  if (b[word - 1] === Char.DOUBLE_QUOTE && isAt(b, word, PROMPT)) return answer(pass, word + PROMPT.length);
  if (isAt(b, word, PROMPT)) return 0;
  if (isAt(b, word, 'auth') && !isAt(b, word - 6, 'master') && !isAt(b, word, HEADER))
    return formSecret(pass, spottedSpelling(), word);
  if (isAt(b, word, INTO)) {
    insertedValues(pass, word + INTO.length);
    return 0;
  }
  const form = formSecret(pass, spottedSpelling(), word);
  if (form !== 0) return form;
  if (isAt(b, word, SHORT) && !is(b, word + SHORT.length, ALNUM) && byteAt(b, word - 1) > Char.BLANK)
    return 0;
  let to = at;
  while (isLabelByte(byteAt(b, to)) && to - word < MAX_LABEL) to++;
  while (b[to - 1] === Char.FULL_STOP || b[to - 1] === Char.HYPHEN) to--;
  if (classAt(b, word) & IDEOGRAPH) {
    const spelling = spottedSpelling();
    to = word + spelling.length;
    if (pass.slice(word, to) !== spelling) return 0;
  }
  if (isAt(b, to, OF_ORDERS)) to += OF_ORDERS.length;
  pass.spottedEnd = to;
  const label = labelBefore(pass, to);
  if (label !== null && label.kind === 'person') return givenName(pass, label, to);
  if (label === null || !isSecretKind(label) || !pass.isOn(label.tag)) return 0;
  const from = pass.labelStart;
  if (isMention(b, from, to)) return b[from - 1] === Char.SLASH ? storedValue(pass, label, from, to) : 0;
  return (
    (!isProse(pass, from, to) && valueAfter(pass, label, from, to)) || spokenValue(pass, label, from, to)
  );
}
