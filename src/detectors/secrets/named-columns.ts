import { afterRule } from '../context/rule.ts';
import { parseHead } from '../context/table-head.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { COMMA, LEFT_PARENTHESIS, LINE_FEED, RIGHT_PARENTHESIS, TAB } from '../text/ascii.ts';
import { SPACE } from '../text/bytes.ts';
import { byteAt, classAt, intAt, isAt, loweredAt } from '../text/read.ts';
import { MAX_LABEL } from './label-cache.ts';
import { type Label, wholeLabel } from './label-rules.ts';
import { isLabelled } from './label-value.ts';
import { isSecretKind } from './labels.ts';
import { isFrame, lastRow, MAX_COLUMNS, rowCells } from './rows.ts';
import { FROM_STDIN } from './table-columns.ts';
import { isThing } from './thing-words.ts';

/** Lines among which the head is looked for, and characters of the head and of a cell. */
const MAX_LINES = 4;
const MAX_HEAD = 1024;
const MAX_CELL = 160;
const MAX_CODE = 20;
/** What a column holds that is only called a name. */
const CALLED: Label = { tag: tagId('PERSON'), kind: 'person' };
/** A column that is only called a name holds people when another one holds what people have. */
const OF_PEOPLE =
  /(?:^|[^a-z])(?:e-?mail|phone|tel|mobile|ssn|dob|birth\w*|iban|salary|patient|passport|gender|date_of_birth|social security|card_number|mrn)(?:$|[^a-z])/i;
const INSERT = 'insert into ';

/** Heads of columns whose cells are a few digits, of tables of cards, and the form of these. */
const CODES: readonly (readonly [tag: string, head: RegExp, cell: RegExp])[] = [
  [
    'CARD_SECURITY_CODE',
    /^(?:card[ _]?)?(?:cv[vcn]2?|csc|security[ _]?code|codigo[ _]?(?:de[ _]?)?seguridad|cryptogramme|pr(?:u|\u00fc|ue)fziffer|codice[ _]?(?:di[ _]?)?sicurezza)$/i,
    /^\d{3,4}$/,
  ],
  [
    'CARD_EXPIRY',
    /^(?:card[ _]?)?(?:exp(?:iry|iration|ires)?|valid[ _]?thru|vencimiento|caducidad|scadenza|validade|ablauf(?:datum)?|g(?:u|\u00fc|ue)ltig[ _]?bis|vervaldatum|fecha[ _]vencimiento)(?:[ _]?date)?$/i,
    /^(?:0?[1-9]|1[0-2])[/-](?:20)?\d\d$/,
  ],
  ['PIN', /^(?:(?:card|atm|debit)[ _]?)?pin(?:[ _]?(?:code|number|no))?$/i, /^\d{4,8}$/],
];
const OF_CARDS =
  /(?:^|[^a-z])(?:card\w*|tarjetas?|karten?|cartes?|carta|cartao|kaart|kort|pan|cvv2?|cvc2?|atm_pin|pin)(?:$|[^a-z])/i;

/** Small letters with which these heads begin. */
const CODE_LETTERS = 'csevadp';

interface Column {
  index: number;
  tag: number;
  fits: (text: string) => boolean;
}

/** Names, addresses and numbers of accounts in the columns of a table (CSV, Markdown) or of an INSERT that a text begins with. */
export function namedColumns(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start < MIN_TABLE) return;
  // most texts are one line: the engine tells soonest
  const isLine = pass.source !== null && !pass.source.includes('\n');
  let begin = start;
  if (isAt(b, start, INSERT)) {
    insertedRows(pass, start + INSERT.length);
    return;
  }
  if (isAt(b, start, 'copy ')) {
    insertedRows(pass, start);
    return;
  }
  if (isLine) return;
  for (let line = 0; line < MAX_LINES && begin < end; line++) {
    let stop = begin;
    while (stop < end && stop - begin < MAX_HEAD && b[stop] !== LINE_FEED) stop++;
    if (b[stop] !== LINE_FEED) return;
    const separator = parseHead(b, begin, stop);
    if (separator !== 0 && readTable(pass, begin, stop, separator)) return;
    begin = stop + 1;
  }
}

const MIN_TABLE = 16;

function readTable(pass: Pass, begin: number, stop: number, separator: number): boolean {
  const { bytes: b, end } = pass.text;
  const heads = rowCells(b, begin, end, separator, LINE_FEED);
  const columns = labelledColumns(pass, heads, begin, stop);
  if (columns.length === 0) return false;
  for (let at = afterRule(b, stop + 1, end); at < end; at = lastRow.end + 1) {
    if (rowCells(b, at, end, separator, LINE_FEED) !== heads) break; // no row: the table has ended
    readRow(pass, columns, heads);
  }
  return true;
}

function insertedRows(pass: Pass, from: number): void {
  const { bytes: b, end } = pass.text;
  let begin = from;
  while (begin < end && begin - from < MAX_CELL && b[begin] !== LEFT_PARENTHESIS) begin++;
  if (b[begin] !== LEFT_PARENTHESIS) return;
  begin++;
  const heads = rowCells(b, begin, Math.min(end, begin + MAX_HEAD), COMMA, RIGHT_PARENTHESIS);
  const stop = lastRow.end;
  const columns = labelledColumns(pass, heads, begin, stop);
  let at = skipSpace(b, stop + 1);
  if (columns.length > 0 && isAt(b, at, FROM_STDIN)) copiedRows(pass, columns, heads, at);
  if (columns.length === 0 || !isAt(b, at, 'values')) return;
  at = skipSpace(b, at + 'values'.length);
  while (b[at] === LEFT_PARENTHESIS) {
    if (rowCells(b, at + 1, end, COMMA, RIGHT_PARENTHESIS) !== heads) return;
    readRow(pass, columns, heads);
    at = skipSpace(b, lastRow.end + 1);
    if (b[at] === COMMA) at = skipSpace(b, at + 1);
  }
}

/** The rows of a COPY in lines with tabs, below the line of `from`. */
function copiedRows(pass: Pass, columns: readonly Column[], heads: number, from: number): void {
  const { bytes: b, end } = pass.text;
  let at = from;
  while (at < end && b[at] !== LINE_FEED) at++;
  for (at++; at < end; at = lastRow.end + 1) {
    if (rowCells(b, at, end, TAB, LINE_FEED) !== heads) return;
    readRow(pass, columns, heads);
  }
}

/** The columns of the head that was read last which hold names, addresses or numbers that only their label explains. */
function labelledColumns(pass: Pass, heads: number, begin: number, stop: number): readonly Column[] {
  const b = pass.text.bytes;
  const columns: Column[] = [];
  let isOfPeople: boolean | null = null;
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++) {
    const [from, to] = bounds(b, index, heads, stop);
    if (to - from < 2 || to - from > MAX_LABEL) continue;
    let label = pass.setting.labels.get(b, from, to) ?? wholeLabel(pass.slice(from, to));
    if (label === null && to - from === 4 && isAt(b, from, 'name')) {
      isOfPeople ??= OF_PEOPLE.test(pass.slice(begin, stop));
      if (isOfPeople) label = CALLED;
    }
    const column = label === null ? codeColumn(pass, from, to, begin, stop) : labelColumn(label);
    if (column !== null && pass.isOn(column.tag)) columns.push({ index, ...column });
  }
  return columns;
}

function labelColumn(label: Label): Omit<Column, 'index'> | null {
  if (isSecretKind(label)) return null;
  const isCalled = label === CALLED;
  return {
    tag: label.tag,
    fits: (text) => isLabelled(label.kind, text, true) && !(isCalled && isThing(text)),
  };
}

function codeColumn(
  pass: Pass,
  from: number,
  to: number,
  begin: number,
  stop: number,
): Omit<Column, 'index'> | null {
  const opening = loweredAt(pass.text.bytes, from);
  if (to - from > MAX_CODE || !CODE_LETTERS.includes(String.fromCharCode(opening))) return null;
  const head = pass.slice(from, to);
  const code = CODES.find(([, pattern]) => pattern.test(head));
  if (code === undefined || !OF_CARDS.test(pass.slice(begin, stop))) return null;
  const [tag, , cell] = code;
  return { tag: tagId(tag), fits: (text) => cell.test(text) };
}

/** The bounds of a cell of the row that was read last, which ends at `stop`, without quotes and blanks. */
function bounds(b: Uint8Array, index: number, count: number, stop: number): readonly [number, number] {
  let from = intAt(lastRow.cells, index);
  let to = index + 1 < Math.min(count, MAX_COLUMNS) ? intAt(lastRow.cells, index + 1) - 1 : stop;
  while (from < to && isFrame(byteAt(b, from))) from++;
  while (to > from && isFrame(byteAt(b, to - 1))) to--;
  return [from, to];
}

function readRow(pass: Pass, columns: readonly Column[], heads: number): void {
  for (const { index, tag, fits } of columns) {
    const [from, to] = bounds(pass.text.bytes, index, heads, lastRow.end);
    if (to - from < 2 || to - from > MAX_CELL || !fits(pass.slice(from, to))) continue;
    pass.found(tag, BARE, from, to);
  }
}

function skipSpace(b: Uint8Array, at: number): number {
  let i = at;
  while (classAt(b, i) & SPACE) i++;
  return i;
}
