import { BARE } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { classify, isSecretKind, type Label, MAX_LABEL, wholeLabel } from '../labels/classifier.ts';
import { isThing } from '../labels/plain-words.ts';
import { isLabelled } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { DIGIT, is, loweredAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { parseHead } from './columns.ts';
import { cellBounds, eachRow, lastRow, MAX_COLUMNS, rowCells } from './table-columns.ts';

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
const ACCOUNTS = new Set('user|account|user id|userid|benutzer|utilisateur|usuario|utente'.split('|'));
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

/** The kind of a column's cells, for cells that look like it. */
export interface ColumnKind {
  readonly tag: number;
  readonly fits: (text: string) => boolean;
}

/**
 * The kind of the cells below the head between `from` and `to`, that only their head explains: names, addresses, numbers; null for
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

/** The kind of cells below a head that only calls somebody, or a name, beside columns that tables of people have. */
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

/** Lines among which the head is looked for, and characters of the head and of a cell. */
const MAX_LINES = 12;
/** The most columns of a table without bars. */
const MAX_PLAIN = 4;
const MAX_HEAD = 1024;
const MAX_CELL = 160;

interface Column extends ColumnKind {
  readonly index: number;
}

/** Names, addresses and numbers of accounts in the columns of a table (CSV, Markdown, aligned) that a text begins with. */
export function namedColumns(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start < MIN_TABLE) return;
  let begin = start;
  for (let line = 0; line < MAX_LINES && begin < end; line++) {
    let stop = begin;
    while (stop < end && stop - begin < MAX_HEAD && b[stop] !== Char.LINE_FEED) stop++;
    if (b[stop] !== Char.LINE_FEED) return;
    if (line === MAX_PLAIN && !hasBars(pass)) return;
    const separator = line < MAX_PLAIN || b[begin] === Char.VERTICAL_BAR ? parseHead(b, begin, stop) : 0;
    if (separator !== 0 && readTable(pass, begin, stop, separator)) return;
    begin = stop + 1;
  }
}

const MIN_TABLE = 16;

function readTable(pass: Pass, begin: number, stop: number, separator: number): boolean {
  const { bytes: b, end } = pass.text;
  const heads = rowCells(b, begin, end, separator, Char.LINE_FEED);
  const columns = labelledColumns(pass, heads, begin, stop);
  if (columns.length === 0) return false;
  eachRow(pass, stop + 1, separator, heads, () => readRow(pass, columns, heads));
  return true;
}

/** Whether any line near the beginning of the text begins with a bar. */
function hasBars({ source }: Pass): boolean {
  return source === null || source.slice(0, MAX_HEAD).includes('\n|');
}

/** Whether any cell of the head that was read last begins with a digit: then it is a row. */
function hasNumber(b: Uint8Array, heads: number, stop: number): boolean {
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++)
    if (is(b, cellBounds(b, index, heads, stop)[0], DIGIT)) return true;
  return false;
}

/** The columns of the head that was read last which hold names, addresses or numbers that only their label explains. */
function labelledColumns(pass: Pass, heads: number, begin: number, stop: number): readonly Column[] {
  const columns: Column[] = [];
  if (hasNumber(pass.text.bytes, heads, stop)) return columns;
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++) {
    const [from, to] = cellBounds(pass.text.bytes, index, heads, stop);
    const kind = columnKind(pass, from, to, begin, stop);
    if (kind !== null) columns.push({ index, ...kind });
  }
  return columns;
}

function readRow(pass: Pass, columns: readonly Column[], heads: number): void {
  for (const { index, tag, fits } of columns) {
    const [from, to] = cellBounds(pass.text.bytes, index, heads, lastRow.end);
    if (to - from < 2 || to - from > MAX_CELL || !fits(pass.slice(from, to))) continue;
    pass.found(tag, BARE, from, to);
  }
}
