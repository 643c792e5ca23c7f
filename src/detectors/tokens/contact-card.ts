import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { isAt } from '../text/read.ts';

/** With what contact cards (vCard, RFC 6350), calendars (iCalendar, RFC 5545) and directories (LDIF, RFC 2849) begin. */
export const CARD_OPENINGS = ['begin:v', 'dn: ', 'attendee', 'organizer'];
const MAX_CARDS = 65_536;
/** Lines and parameters that hold names and streets: a street is the third part of an address. */
const FIELD =
  /^(?:(?:FN|N)(?:;[^:\r\n]*)?:|(?:cn|sn|givenName|displayName): |(ADR(?:;[^:\r\n]*)?:[^;\r\n]*;[^;\r\n]*;|(?:street|postalAddress|homePostalAddress): ))([^\r\n]+)|;CN="?([^":;\r\n]+)/gim;

/** The names and addresses in contact cards, calendars and entries of directories. */
export function contactCard(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start > MAX_CARDS || !CARD_OPENINGS.some((opening) => isAt(b, start, opening))) return;
  for (const { 0: whole, 1: street, 2: line, 3: parameter, index } of pass
    .slice(start, end)
    .matchAll(FIELD)) {
    const text = line ?? parameter ?? '';
    const value = street === undefined ? text : (text.split(';', 1)[0] ?? '');
    if (!/\p{L}/u.test(value)) continue;
    const from = start + index + whole.lastIndexOf(text);
    pass.found(tagId(street === undefined ? 'PERSON' : 'STREET_ADDRESS'), BARE, from, from + value.length);
  }
}
