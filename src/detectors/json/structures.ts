import { takesPassword } from '../commands/command-flags.ts';
import { type KeyCache, type KeyInfo, withoutThings } from '../context/keys.ts';
import * as Char from '../text/chars.ts';

/** Members that may name what the value beside them is, the most telling first. */
const NAMES =
  'name key label field Name Key Label attribute param parameter property variable header column id fieldName field_name title'.split(
    ' ',
  );
const RANKS = new Map(NAMES.map((member, rank) => [member, rank]));
/** Members of a small object. */
const MAX_FEW = 8;
/** Members that may hold the heads of columns, for rows that are arrays. */
const HEADS = 'columns header headers fields cols columnNames column_names'.split(' ');
/** A name that may say what a value is: of variables, headers, parameters, fields of a form. */
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N} _.:'()-]{1,47}$/u;

/** HL7's identifier types (table 0203), as keys name the same numbers. */
const HL7_TYPES = new Map([
  ['MR', 'mrn'],
  ['SS', 'ssn'],
  ['PPN', 'passport'],
  ['DL', 'drivers_license'],
  ['MB', 'member_id'],
]);

/**
 * The kind of value in an object, as members other than its name tell it: `{"type": "ssn", "value": …}`,
 * `{"question": "Your password?", "answer": …}`, identifiers and telecoms of FHIR; null when none does.
 */
export function kindBeside({ type, system, question }: Readonly<Record<string, unknown>>): string | null {
  if (typeof type === 'string') return shortName(type);
  if (typeof type === 'object' && type !== null) return conceptName(type as Record<string, unknown>);
  if (typeof system === 'string') return shortName(system.slice(system.lastIndexOf('/') + 1));
  return typeof question === 'string' ? shortName(question.replace(/\s*[?:]+$/, '')) : null;
}

/** The name of a CodeableConcept of FHIR: its text, or what the code of its first coding stands for. */
function conceptName({ text, coding }: Readonly<Record<string, unknown>>): string | null {
  if (typeof text === 'string') return shortName(text);
  const first: unknown = Array.isArray(coding) ? coding[0] : null;
  if (typeof first !== 'object' || first === null) return null;
  const { code } = first as Record<string, unknown>;
  return typeof code === 'string' ? (HL7_TYPES.get(code) ?? null) : null;
}

function shortName(name: string): string | null {
  return NAME.test(name) ? name : null;
}

/** Members beside what a check says when it passes. */
const OUTCOMES = ['fail', 'incomplete', 'warn', 'error'];

/** Whether a member is what a check says when it passes, beside what it says otherwise: {"pass": …, "fail": …}. */
export function isOutcome(object: Readonly<Record<string, unknown>>, key: string, value: string): boolean {
  return key === 'pass' && value.includes(' ') && OUTCOMES.some((member) => Object.hasOwn(object, member));
}

/** The name that one member of an object gives to the value beside it: `{"name": "DB_PASSWORD", "value": …}`; null for none. */
export function nameBeside(object: Readonly<Record<string, unknown>>): string | null {
  const name = fewMembers(object) ? nameOfFew(object) : nameOfMany(object);
  return name !== null && NAME.test(name) ? name : null;
}

/** Whether looking at each member is cheaper than asking for every one that may name a value. */
function fewMembers(object: Readonly<Record<string, unknown>>): boolean {
  let members = 0;
  for (const _ in object) if (++members > MAX_FEW) return false;
  return true;
}

function nameOfFew(object: Readonly<Record<string, unknown>>): string | null {
  let name: string | null = null;
  let best = NAMES.length;
  for (const member in object) {
    const rank = RANKS.get(member) ?? best;
    if (rank >= best) continue;
    const value = object[member];
    if (typeof value !== 'string') continue;
    name = value;
    best = rank;
  }
  return name;
}

function nameOfMany(object: Readonly<Record<string, unknown>>): string | null {
  for (const member of NAMES) {
    const name = object[member];
    if (typeof name === 'string') return name;
  }
  return null;
}

/** Rows of a table whose first one may be heads, and the most of their cells. */
const MAX_HEADS = 64;

/** The heads in the first row of a table: `[["name", "ssn"], ["Jane Doe", "…"]]`; null when it has none. */
export function headRow(rows: readonly unknown[], keys: KeyCache): readonly string[] | null {
  const [heads, first] = rows;
  if (!Array.isArray(heads) || !Array.isArray(first)) return null;
  if (heads.length < 2 || heads.length > MAX_HEADS || heads.length < first.length) return null;
  // pairs of a name and a value, one below the other
  const isPair = heads.length === 2 && typeof first[0] === 'string' && keys.get(first[0]).named;
  if (isPair) return null;
  const names: string[] = [];
  for (const head of heads as readonly unknown[]) {
    if (typeof head !== 'string' || head.length > 48) return null;
    names.push(head);
  }
  return names.some((name) => NAME.test(name) && keys.get(name).named) ? names : null;
}

/** The heads of the columns of `{"columns": ["id", "password"], "rows": [[7, "…"]]}`; null when there are none. */
export function columnHeads(object: Readonly<Record<string, unknown>>): readonly string[] | null {
  for (const member of HEADS) {
    const heads = object[member];
    if (!Array.isArray(heads) || heads.length === 0) continue;
    const names = (heads as readonly unknown[]).map(headOf);
    if (names.every((name) => name !== null)) return names;
  }
  return null;
}

const PASSWORD = 'password';
/** Flags of one letter that give a user and, behind it, a password: `["login", "-u", "bob", "-p", "…"]`. */
const USER_FLAGS: ReadonlySet<unknown> = new Set('-u -U -user --user --username -l --login'.split(' '));
const PASSWORD_FLAGS = new Set(['-p', '-P', '-w', '-W']);

function headOf(head: unknown): string | null {
  if (typeof head === 'string') return head;
  return typeof head === 'object' && head !== null ? nameBeside(head as Record<string, unknown>) : null;
}

/**
 * The name before the element `i`, from 1 on, of an array under this key: a flag and its argument, a pair of name and
 * value, a user and a password; null for none.
 */
export function nameBefore(values: readonly unknown[], i: number, key: KeyInfo): string | null {
  if (key.logsIn && i === 1 && values.length === 2) return PASSWORD;
  const before = values[i - 1];
  const program = values[0];
  if (typeof program === 'string' && isSecretArgument(program, before, values[i])) return PASSWORD;
  if (typeof before !== 'string' || before.length < 2 || before.length > 48) return null;
  if (before.charCodeAt(0) === Char.HYPHEN && before.charCodeAt(1) === Char.HYPHEN)
    return before.includes('=') ? null : before.slice(2);
  if (i > 2 && PASSWORD_FLAGS.has(before) && USER_FLAGS.has(values[i - 3])) return PASSWORD;
  return i === 1 && values.length === 2 && NAME.test(before) ? before : null;
}

/** Whether an element of a list that begins with a program is a password of it: `["curl", "-u", "bob:…"]`, `["mysql", "-p…"]`. */
function isSecretArgument(program: string, before: unknown, value: unknown): boolean {
  if (program.length > MAX_PROGRAM || typeof value !== 'string') return false;
  if (value.charCodeAt(0) === Char.HYPHEN) return takesPassword(program, value, value);
  return (
    typeof before === 'string' &&
    before.charCodeAt(0) === Char.HYPHEN &&
    takesPassword(program, before, value)
  );
}

const MAX_PROGRAM = 17;

/**
 * Classifies a member by its own key and by the key of the object that holds it: {"phone": {"home": …}}. Members below a word for
 * passwords are settings ({"password": {"policy": "strict"}}), unless they are called a value or a turn.
 */
export function inherit(outer: KeyInfo, own: KeyInfo): KeyInfo {
  if (outer.contexts.length === 0 && outer.label === null && !outer.named) return own;
  const given = own.isId ? withoutThings(outer.contexts) : outer.contexts;
  const contexts = own.contexts.length === 0 ? given : [...given, ...own.contexts];
  const isRule = outer.label?.kind === 'password' && !(own.holds || own.isTurn || outer.isPlural);
  const label = own.label ?? (own.describes || isRule ? null : outer.label);
  return { ...own, contexts, label, named: own.named || outer.named };
}

/** Members that tell which element of a page a value is for, the most telling first. */
const ELEMENTS =
  'selector element locator fill target field input testid testId test_id css xpath ariaLabel aria_label placeholder into'.split(
    ' ',
  );
/** The part of a selector that names its element, the most telling first: an attribute, a test by text, an id, a class. */
const ATTRIBUTE =
  /(?:name|id|autocomplete|placeholder|aria-label|data-test(?:id)?|data-testid|formcontrolname|label|type)\s*[*^$~|]?=\s*['"\\]*([\p{L}][\p{L}\p{N} _.:-]{1,47})/iu;
const CALL = /(?:label|placeholder|testid|test_id)\(\s*['"]([\p{L}][\p{L}\p{N} _.-]{1,47})['"]/iu;
const ID = /[#.]([a-z_][\w-]{1,47})(?![\w-]*\()(?!.*[#.][a-z_])/i;
const PLAIN = /^[\p{L}][\p{L}\p{M}\p{N} _:-]{1,47}$/u;
/** Words for the element itself, which stand behind its purpose. */
const ROLE =
  /(?:[\s_-]+(?:text ?box|text ?field|text ?area|input|field|box|edit|entry|combo ?box|spin ?button|control|feld|champ|campo))+(?:[\s_-]+\d+)?$/i;
const MAX_SELECTOR = 160;

/** The name of the page's element that a value beside it is typed into: `{"selector": "#password", "text": …}`; null for none. */
export function elementBeside(object: Readonly<Record<string, unknown>>): string | null {
  for (const member of ELEMENTS) {
    const element = object[member];
    if (typeof element === 'string' && element.length <= MAX_SELECTOR) return elementName(element);
  }
  return null;
}

function elementName(element: string): string | null {
  const name =
    CALL.exec(element)?.[1] ??
    ATTRIBUTE.exec(element)?.[1] ??
    (PLAIN.test(element) ? element : ID.exec(element)?.[1]);
  return name === undefined ? null : name.trim().replace(ROLE, '');
}

/** Members that hold a statement of SQL, and the values that are bound to its placeholders. */
const STATEMENTS = ['sql', 'query', 'statement', 'text'];
const MAX_STATEMENT = 4096;
/** A column and the placeholder it is set to or compared with: `password = ?`, `u.ssn=$2`, `email LIKE %s`. */
const PLACEHOLDER = /\?|\$(\d{1,3})\b|%s/g;
const COMPARED = /([\w.]{1,64})["`\])]?\s{0,8}(?:=|<>|!=|LIKE|ILIKE)\s{0,8}(?:\w{1,32}\()?$/i;
const MAX_COMPARED = 128;
/** The columns of an INSERT and the placeholders of its first row. */
const INSERT = /\binsert\s+into\s+[\w."`[\]]+\s*\(([^()]{1,2000})\)\s*values\s*\(([^;]{1,2000})/i;

/**
 * The columns that the values of an array are bound to, by the statement beside it: `{"sql": "UPDATE u SET password = ?",
 * "params": ["…"]}`; null when there is none. Columns that nothing names are empty.
 */
export function boundColumns(object: Readonly<Record<string, unknown>>): readonly string[] | null {
  for (const member of STATEMENTS) {
    const statement = object[member];
    if (typeof statement !== 'string' || statement.length > MAX_STATEMENT) continue;
    if (!/\?|\$\d|%s/.test(statement)) continue;
    const columns = insertedColumns(statement) ?? comparedColumns(statement);
    if (columns.some((column) => column !== '')) return columns;
  }
  return null;
}

function insertedColumns(statement: string): string[] | null {
  const match = INSERT.exec(statement);
  if (match === null) return null;
  const [, names = '', values = ''] = match;
  const columns: string[] = [];
  const heads = names.split(',').map((name) => name.replace(/["`[\]\s]/g, ''));
  values.split(',').forEach((value, k) => {
    const number = /\$(\d+)/.exec(value)?.[1];
    if (number !== undefined) columns[Number(number) - 1] ||= heads[k] ?? '';
    else if (/\?|%s/.test(value)) columns.push(heads[k] ?? '');
  });
  return Array.from(columns, (column) => column ?? '');
}

function comparedColumns(statement: string): string[] {
  const columns: string[] = [];
  for (const { 1: number, index } of statement.matchAll(PLACEHOLDER)) {
    const name = COMPARED.exec(statement.slice(Math.max(0, index - MAX_COMPARED), index))?.[1];
    const column = name === undefined ? '' : name.slice(name.lastIndexOf('.') + 1);
    if (number === undefined) columns.push(column);
    else columns[Number(number) - 1] ||= column;
  }
  return Array.from(columns, (column) => column ?? '');
}
