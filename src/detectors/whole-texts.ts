import type { Pass } from './pass.ts';
import { userList } from './secrets/account-files.ts';
import { SCRIPT_OPENINGS, shellSecrets } from './secrets/shell-commands.ts';
import { byteAt } from './text/read.ts';
import { CARD_OPENINGS, contactCard } from './tokens/contact-card.ts';
import { HL7_OPENINGS, hl7Message } from './tokens/hl7.ts';
import { RECORD_OPENINGS, record } from './tokens/records.ts';

/** A reader of texts that are one message, list or script as a whole, and how such a text may begin. */
interface Reader {
  readonly read: (pass: Pass) => void;
  readonly openings: readonly string[];
}

const inAnyCase = (openings: readonly string[]): string[] =>
  openings.flatMap((opening) => {
    const [first = '', second = ''] = opening;
    return [opening, first + second.toUpperCase(), first.toUpperCase() + second, opening.toUpperCase()];
  });

/** In the order in which they are asked; at most eight. */
const READERS: readonly Reader[] = [
  { read: userList, openings: Array.from({ length: 128 }, (_, c) => `"${String.fromCharCode(c)}`) },
  { read: hl7Message, openings: inAnyCase(HL7_OPENINGS) },
  { read: contactCard, openings: inAnyCase(CARD_OPENINGS) },
  { read: shellSecrets, openings: SCRIPT_OPENINGS },
  { read: record, openings: inAnyCase(RECORD_OPENINGS) },
];

/** For the first two bytes of a text, a bit for each reader that it may be for: most texts are for none. */
const READ_BY = new Uint8Array(1 << 14);
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
for (const [k, { openings }] of READERS.entries())
  for (const opening of openings) {
    const pair = pairOf(opening.charCodeAt(0), opening.charCodeAt(1));
    READ_BY[pair] = byteAt(READ_BY, pair) | (1 << k);
  }

/** Reads a text as a whole where it begins as a known message, list or script does. */
export function wholeText(pass: Pass): void {
  const { bytes: b, start } = pass.text;
  const readBy = byteAt(READ_BY, pairOf(byteAt(b, start), byteAt(b, start + 1)));
  if (readBy === 0) return;
  READERS.forEach(({ read }, k) => {
    if (readBy & (1 << k)) read(pass);
  });
}
