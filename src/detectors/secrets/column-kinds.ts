import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { loweredAt } from '../text/read.ts';
import { classify, isSecretKind, type Label, MAX_LABEL, wholeLabel } from './classifier.ts';
import { isLabelled } from './label-value.ts';
import { isThing } from './thing-words.ts';

const MAX_CODE = 20;
const PERSON = tagId('PERSON');
const USERNAME = tagId('USERNAME');
const NAME = 'name';
/** Heads that call somebody, below which full names stand, and those of accounts. */
const PEOPLE = new Set(
  'customer client patient employee member contact guest tenant person student owner passenger payer participant attendee applicant resident donor cardholder kunde mitarbeiter cliente klant klient kund'.split(
    ' ',
  ),
);
const ACCOUNTS = new Set([
  'user',
  'account',
  'user id',
  'userid',
  'benutzer',
  'utilisateur',
  'usuario',
  'utente',
]);
const MAX_CALLED = 16;
/** A column that is only called a name holds people when another one holds what people have. */
const OF_PEOPLE =
  /(?:^|[^a-z])(?:e-?mail|phone|tel|mobile|ssn|dob|birth\w*|iban|salary|patient|passport|gender|date_of_birth|social security|card\w*|cvv|cvc|nino|ni number|passport\w*|telefon\w*|geburtsdatum|handy|mobil)(?:$|[^a-z])/i;
/** Heads of columns whose cells are a few digits, of tables of cards, and the form of these. */
const CODES: readonly (readonly [tag: string, head: RegExp, cell: RegExp])[] = [
  [
    'CARD_SECURITY_CODE',
    /^(?:card[ _]?)?(?:cv[vcn]2?|csc|security[ _]?code|codigo[ _]?(?:de[ _]?)?seguridad|cryptogramme|pr(?:u|\u00fc|ue)fziffer|codice[ _]?(?:di[ _]?)?sicurezza)$/i,
    /^\d{3,4}$/,
  ],
  [
    'CARD_EXPIRY',
    /^(?:card[ _]?)?(?:exp(?:[ _]?\w*)?|valid[ _]?thru|vencimiento|caducidad|scadenza|validade|ablauf(?:datum)?|g(?:u|\u00fc|ue)ltig[ _]?bis|vervaldatum|fecha[ _]vencimiento)(?:[ _]?date)?$/i,
    /^(?:0?[1-9]|1[0-2])[/-](?:20)?\d\d$/,
  ],
  ['PIN', /^(?:(?:card|atm|debit)[ _]?)?pin(?:[ _]?(?:code|number|no))?$/i, /^\d{4,8}$/],
];
const OF_CARDS =
  /(?:^|[^a-z])(?:card\w*|tarjetas?|karten?|cartes?|carta|cartao|kaart|kort|pan|cvv2?|cvc2?|atm_pin|pin)(?:$|[^a-z])/i;

/** Small letters with which these heads begin. */
const CODE_LETTERS = 'csevadp';

/** What the cells of a column are, when they look so. */
export interface ColumnKind {
  readonly tag: number;
  readonly fits: (text: string) => boolean;
}

/**
 * What the cells are below the head between `from` and `to`, that only their head explains: names, addresses, numbers; null for
 * anything else. All heads stand between `begin` and `stop`.
 */
export function columnKind(
  pass: Pass,
  from: number,
  to: number,
  begin: number,
  stop: number,
): ColumnKind | null {
  const b = pass.text.bytes;
  if (to - from < 2 || to - from > MAX_LABEL) return null;
  const label = classify(b, from, to) ?? wholeLabel(b, from, to);
  const kind =
    (label === null ? null : labelColumn(label)) ??
    codeColumn(pass, from, to, begin, stop) ??
    calledColumn(pass, from, to, begin, stop);
  return kind !== null && pass.isOn(kind.tag) ? kind : null;
}

/** What cells are below a head that only calls somebody, or a name, beside columns of what people have. */
function calledColumn(pass: Pass, from: number, to: number, begin: number, stop: number): ColumnKind | null {
  if (to - from > MAX_CALLED) return null;
  const head = pass.slice(from, to).toLowerCase();
  const fits = head === NAME ? isNamed : PEOPLE.has(head) ? isFull : ACCOUNTS.has(head) ? isAccount : null;
  if (fits === null || !(fits === isAccount || OF_PEOPLE.test(pass.slice(begin, stop)))) return null;
  return { tag: fits === isAccount ? USERNAME : PERSON, fits };
}

const isNamed = (text: string): boolean => isLabelled('person', text, true) && !isThing(text);
const isFull = (text: string): boolean => text.includes(' ') && isNamed(text);
const isAccount = (text: string): boolean => isLabelled('username', text, false);

function labelColumn(label: Label): ColumnKind | null {
  return isSecretKind(label) ? null : { tag: label.tag, fits: (text) => isLabelled(label.kind, text, true) };
}

function codeColumn(pass: Pass, from: number, to: number, begin: number, stop: number): ColumnKind | null {
  const opening = loweredAt(pass.text.bytes, from);
  if (to - from > MAX_CODE || !CODE_LETTERS.includes(String.fromCharCode(opening))) return null;
  const head = pass.slice(from, to);
  const code = CODES.find(([, pattern]) => pattern.test(head));
  if (code === undefined || !OF_CARDS.test(pass.slice(begin, stop))) return null;
  const [tag, , cell] = code;
  return { tag: tagId(tag), fits: (text) => cell.test(text) };
}
