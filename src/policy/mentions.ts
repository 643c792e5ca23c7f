import type { Phase } from '../schemas/decisions.ts';
import { mostIdentifiers } from '../schemas/session-context.ts';

/** Identifiers in a content, each once, with the first place that is this identifier and nothing else. Null when there are too many. */
export type Mentions = ReadonlyMap<string, Mention> | null;

/** One object for all identifiers of one field of one record. */
export interface Mention {
  /** The field that is this identifier, as `Sighting.field` has it; null where it is only in longer texts. */
  readonly field: string | null;
  /**
   * The number of the record of a result that it is in: each object is one, and so is each text of several words in a list. 0 in other
   * phases, and in a result that is one text, which may hold the words of several authors.
   */
  readonly record: number;
}

/** How identifiers are named, for texts that have much in common. */
export interface Naming {
  /** The name of an identifier, the same for all ways of writing it. Null when the text is no identifier. */
  nameOf(written: string): string | null;
  /** The name of a key of an object; null for one that does not look like an identifier. */
  nameOfKey(key: string): string | null;
  /** As `namesIn` finds them. */
  namesIn(text: string): NamesInText;
}

/** The names of what a short text is and of what is in it. */
export interface NamesInText {
  /** Null when the text as a whole is no identifier. */
  readonly whole: string | null;
  readonly parts: readonly string[];
}

/** The form of an identifier. Null for what is none, or is too short to be told from others. */
export function mentionOf(written: string): string | null {
  const identifier = identifierOf(written);
  return identifier === null || identifier.length < 2 ? null : identifier;
}

/** Words of a person's request that can be one name together: "to Green Park Dental Care". */
const longestName = 4;
/** How many words of a request may be names. Further ones are taken only when they look like an identifier. */
const mostWords = 500;

/**
 * Every identifier in a JSON value: each text of up to 128 characters as a whole, and what looks like an address, URL, host,
 * number, id, path or name in all texts. What a person wrote (PROMPT) is short and in words, so all names of up to four words
 * are taken from it: "send it to Ann Smith" names Ann Smith.
 */
export function mentionsIn(content: unknown, phase: Phase, naming: Naming = plainNames): Mentions {
  const search = new Search(phase, naming);
  search.push(content, '', 0, phase === 'RESULT' ? '' : null);
  return search.run();
}

/** Whether an entry of a list is a text of several words, such as a comment. */
const hasOwnRecord = (entry: unknown, phase: Phase): boolean =>
  phase === 'RESULT' && typeof entry === 'string' && entry.includes(' ');

/** Longest name of a field that is kept, in characters, and longest path of one. */
const longestField = 64;
const longestPath = 80;
/** ASCII without space and dot: names that have one spelling, and that a catalogue can list. */
const listable = /^[!-\-/-~]+$/;

/** The path of a field of the object at `parent`; null where it is too long, or has a name that a catalogue cannot tell from others. */
function pathTo(parent: string, field: string): string | null {
  if (field === '') return parent;
  const path = `${parent}.${field}`;
  return path.length <= longestPath && listable.test(field) ? path : null;
}

class Search {
  readonly #mentions = new Map<string, Mention>();
  readonly #phase: Phase;
  readonly #naming: Naming;
  /** Values to look at, the next one last. Each is four entries: it, the name of its field, its record, and the path of the object that it is a field of. */
  readonly #open: unknown[] = [];
  #latest = 0;
  /** Neighbours share their place. */
  #whole: Mention = { field: '', record: -1 };
  #part: Mention = { field: null, record: -1 };
  #field = '';
  #parent: string | null = null;

  constructor(phase: Phase, naming: Naming) {
    this.#phase = phase;
    this.#naming = naming;
  }

  push(value: unknown, field: string, record: number, parent: string | null): void {
    this.#open.push(value, field, record, parent);
  }

  run(): Mentions {
    const open = this.#open;
    while (open.length > 0) {
      const parent = open.pop() as string | null;
      const record = open.pop() as number;
      const field = open.pop() as string;
      const value = open.pop();
      if (this.#mentions.size > mostIdentifiers) return null;
      if (typeof value === 'string') this.#fromText(value, field, record, parent);
      else if (typeof value === 'number' || typeof value === 'bigint') {
        if (value >= 1_000 || value <= -1_000)
          this.#add(this.#naming.nameOf(String(value)), field, record, parent);
      } else if (Array.isArray(value)) {
        for (let at = value.length - 1; at >= 0; at--) {
          const entry: unknown = value[at];
          this.push(entry, field, hasOwnRecord(entry, this.#phase) ? ++this.#latest : record, parent);
        }
      } else if (typeof value === 'object' && value !== null)
        this.#fromObject(value, field, this.#phase === 'RESULT' ? ++this.#latest : 0, parent);
    }
    return this.#mentions.size > mostIdentifiers ? null : this.#mentions;
  }

  #fromObject(value: object, field: string, record: number, parent: string | null): void {
    const path = parent === null ? null : pathTo(parent, field);
    const isEnvelope = (path === '' || path === '.result') && isMcpResult(value);
    const keys = Object.keys(value);
    // Backwards, so that they are taken in the order in which they stand.
    for (let at = keys.length - 1; at >= 0; at--) {
      const key = keys[at] as string;
      const entry = (value as Record<string, unknown>)[key];
      this.#add(this.#naming.nameOfKey(key), field, record, parent);
      const named = key === 'text' && isTextPart(value) ? 'result' : key;
      // One of several texts may be others' as a whole.
      const isOthers = key === '' || (isEnvelope && Array.isArray(entry) && entry.length > 1);
      this.push(entry, isEnvelope && typeof entry === 'object' ? '' : named, record, isOthers ? null : path);
    }
  }

  #fromText(text: string, field: string, record: number, parent: string | null): void {
    const parsed = structureIn(text);
    if (parsed !== undefined) {
      this.push(parsed, field, record, parent);
      return;
    }
    const phase = this.#phase;
    const naming = this.#naming;
    const isResult = phase === 'RESULT' && textOfResult.test(field);
    const own = isResult ? 0 : record;
    if (text.length <= longestIdentifier) {
      const { whole, parts } = naming.namesIn(text);
      this.#add(whole, phase === 'PROMPT' ? null : field, own, parent);
      for (let at = 0; at < parts.length; at++) this.#add(parts[at] as string, null, own, null);
    } else {
      eachPart(text, (part) => this.#add(naming.nameOf(part), null, own, null));
    }
    if (isResult) {
      const push = (value: string, name: string): void => this.push(value, name, 0, null);
      if (startsStructure(text)) eachCutField(text, push);
      else eachLineField(text, push);
    }
    if (phase === 'PROMPT') fromWords(text, (name) => this.#add(naming.nameOf(name), null, 0, null));
  }

  /** `field`: of which it is all; null for a part of a text. */
  #add(name: string | null, field: string | null, record: number, parent: string | null): void {
    if (name === null) return;
    const before = this.#mentions.get(name);
    if (before === undefined || (before.field === null && field !== null))
      this.#mentions.set(name, field === null ? this.#partOf(record) : this.#wholeOf(field, record, parent));
  }
  #partOf(record: number): Mention {
    if (this.#part.record !== record) this.#part = { field: null, record };
    return this.#part;
  }
  #wholeOf(field: string, record: number, parent: string | null): Mention {
    if (this.#whole.record !== record || this.#field !== field || this.#parent !== parent) {
      this.#field = field;
      this.#parent = parent;
      this.#whole = { field: writtenField(field, parent).toLowerCase(), record };
    }
    return this.#whole;
  }
}

/** A name that begins with a dot is no path. */
function writtenField(field: string, parent: string | null): string {
  const path = parent === null ? null : pathTo(parent, field);
  if (path !== null) return path;
  const name = field.slice(0, longestField);
  return name.startsWith('.') ? `..${name}` : name;
}

/** The name of a field, as rules see it. */
export const fieldName = (written: string): string =>
  written.startsWith('..')
    ? written.slice(2)
    : written.startsWith('.')
      ? written.slice(written.lastIndexOf('.') + 1)
      : written;

type Push = (value: string, field: string) => void;

/** A result that is one text, also as MCP and the APIs of models write it. */
const textOfResult = /^(?:result|output|stdout|)$/;
const isTextPart = (value: object): boolean => 'type' in value && value.type === 'text';

const membersOfMcp: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);

/** Whether an object is what MCP wraps a result in: its members are no fields that a catalogue names. */
const isMcpResult = (value: object): boolean =>
  'content' in value &&
  Array.isArray(value.content) &&
  value.content.every((part) => typeof part === 'object') &&
  Object.keys(value).every((key) => membersOfMcp.has(key));

/** Fields of one text that was JSON before it was cut. */
const mostCutFields = 5_000;

/**
 * Agents cut long results, so that the JSON has no end. Its texts are taken one after the other: what stands inside of one of them is
 * no field. Pushes them in the order in which they stand.
 */
function eachCutField(text: string, push: Push): void {
  const found: [string, string][] = [];
  let key = '';
  // From one quote to the next: where a text has no end, none after it has one. Searching on would take time that grows with the square.
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', jsonText.lastIndex)) {
    jsonText.lastIndex = at;
    const match = jsonText.exec(text);
    if (match === null) break;
    const [, content = '', colon] = match;
    if (colon !== undefined) {
      if (looksLikeIdentifier(content)) found.push([content, key]);
      key = content;
    } else if (content.length <= longestIdentifier && !content.includes('\\')) found.push([content, key]);
    if (found.length > mostCutFields) break;
  }
  for (const [value, field] of found.reverse()) push(value, field);
}
const jsonText = /"((?:[^"\\]|\\.)*)"(\s{0,8}:)?/y;

/** Lines of one text that are read as fields. */
const mostLines = 2_000;
/** In characters. */
const longestLine = 300;
const lineField =
  /^[ \t]*(?:[-*] +)?["']?([A-Za-z_][\w -]{0,40}?)["']?[ \t]*[:=][ \t]+(\S.{0,127}?),?[ \t]*$/;
/** `ann@example.com: rw`, below `shared_with:`. */
const addressField = /^[ \t]*["']?([^\s:"']+@[^\s:"']+)["']?:[ \t]+\S.{0,40}$/;
const listItem = /^[ \t]*[-*] +(\S{2,128})[ \t]*$/;

/**
 * Many tools write records as lines of `key: value`, as YAML does. A result is read as fields when most of its lines are. A field of a
 * record never is: somebody else may have written all of a mail's text.
 */
function eachLineField(text: string, push: Push): void {
  if (!text.includes('\n')) return;
  const lines = text.split('\n', mostLines).filter((line) => line.trim() !== '');
  const found = cellsIn(lines);
  if (found.length > 0) {
    for (const [value, field] of found.reverse()) push(value, field);
    return;
  }
  let key = '';
  let structured = 0;
  for (const line of lines) {
    if (line.length > longestLine) continue;
    const field = lineField.exec(line);
    const item = field ? null : (listItem.exec(line) ?? addressField.exec(line));
    if (field) found.push([field[2] as string, field[1] as string]);
    else if (item) found.push([item[1] as string, key]);
    else if (/^[ \t]*(?:[-*] +)?[\w -]{1,40}:[ \t]*$/.test(line)) key = line.replaceAll(/[-*:\s]/g, '');
    else continue;
    structured++;
  }
  // Two lines are enough where nothing else is there.
  if (structured < (lines.length === 2 ? 2 : 3) || structured * 10 < lines.length * 6) return;
  for (const [value, field] of found.reverse()) push(value.replace(/^(["'])(.*)\1$/, '$2'), field);
}

/** Under the names of a table between bars. */
const tableRule = /^[ \t]*[|+:-][ \t|+:-]*-{2}[ \t|+:-]*$|^[ \t]*-{2,}[ \t]*[|+][ \t|+:-]*$/;
const columnName = /^["']?[A-Za-z_][\w -]{0,40}["']?$/;

/** The cells of a table with the names of their columns: between bars, as Markdown and database shells write it, or CSV with commas, semicolons or tabs. */
function cellsIn(lines: readonly string[]): [string, string][] {
  const under = lines.findIndex((line, at) => at > 0 && line.length <= longestLine && tableRule.test(line));
  if (under > 0) return cellsOf(lines, under - 1, barCells);
  const sign = /[,;\t]/.exec(lines[0] ?? '')?.[0];
  return sign === undefined ? [] : cellsOf(lines, 0, (line) => line.split(sign).map(unquoted));
}

const barCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
const unquoted = (cell: string): string => cell.trim().replace(/^"(.*)"$/, '$1');

/** Empty where most lines are no rows of the table: somebody else may have written a table into a text. */
function cellsOf(
  lines: readonly string[],
  head: number,
  read: (line: string) => readonly string[],
): [string, string][] {
  const [names = [], ...rows] = lines
    .slice(head)
    .filter((line) => line.length <= longestRow)
    .map(read);
  if (names.length < 2 || !names.every((name) => columnName.test(name))) return [];
  const whole = rows.filter((row) => row.length === names.length);
  if (whole.length === 0 || (whole.length + 1) * 10 < lines.length * 6) return [];
  return whole.flatMap((row) =>
    row.flatMap((cell, at): [string, string][] =>
      entriesOf(cell).map((entry) => [entry, unquoted(names[at] as string)]),
    ),
  );
}
/** Several addresses in one cell, each with or without a right, are a list: `ann@example.com: rw, bob@example.com: r`. */
function entriesOf(cell: string): string[] {
  const entries = cell.split(/[,;] */);
  if (cell.includes('@') && entries.every((entry) => listedAddress.test(entry)))
    return entries.map((entry) => entry.replace(/[: (].*$/, ''));
  return cell === '' || cell.length > longestIdentifier ? [] : [cell];
}
const listedAddress = /^[^\s@:()]{1,64}@[^\s@:()]{1,128}(?:: ?\w{1,20}| \(\w{1,20}\))?$/;
/** In characters. */
const longestRow = 2_000;

/** The names in a text of up to 128 characters that is no JSON. `nameOf` names its parts, `nameOfWhole` all of it. */
export function namesIn(
  text: string,
  nameOf: Naming['nameOf'],
  nameOfWhole: Naming['nameOf'] = nameOf,
): NamesInText {
  let parts: string[] | null = null;
  eachPart(text, (part) => {
    // All of it is named already.
    const name = part.length === text.length ? null : nameOf(part);
    if (name === null) return;
    parts ??= [];
    parts.push(name);
  });
  return { whole: nameOfWhole(text), parts: parts ?? noParts };
}

const noParts: readonly string[] = [];
const plainNames: Naming = {
  nameOf: mentionOf,
  nameOfKey: (key) => (looksLikeIdentifier(key) ? mentionOf(key) : null),
  namesIn: (text) => namesIn(text, mentionOf),
};

type Take = (written: string) => void;

/** Gives everything in a text that looks like an identifier; some of it more than once. */
function eachPart(text: string, take: Take): void {
  eachToken(text, (token) => fromToken(token, take));
  // The tests are several times faster than what they spare most texts.
  if (aGroup.test(text)) for (const number of text.match(groups) ?? []) take(number);
  if (aQuote.test(text)) for (const phrase of text.match(quoted) ?? []) take(phrase.slice(1, -1));
}

const startsStructure = (text: string): boolean => !startsWithIn(text, isWord) && /^\s*[[{]/.test(text);

/** A result is often JSON inside of a text; its fields are fields. */
function structureIn(text: string): unknown {
  if (!startsStructure(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Numbers and bank accounts that are written in groups. */
const aGroup = /\d[\dA-Z ()\-/]{4,40}\d/;
const groups = /(?:\+?\d|\b[A-Z]{2}\d{2})[\dA-Z ()\-/]{4,40}\d/g;
const aQuote = /["'\u201c\u201d\u2018\u2019`]/;
const quoted =
  /["'\u201c\u201d\u2018\u2019`][^"'\u201c\u201d\u2018\u2019`\n]{2,128}["'\u201c\u201d\u2018\u2019`]/g;

function fromToken(token: string, take: Take): void {
  if (!looksLikeIdentifier(token)) return;
  take(token);
  if (!/[:=]/.test(token)) return;
  const host = hostOf(token);
  if (host !== null) take(host);
  else for (const part of token.split(/[:=]/)) if (looksLikeIdentifier(part)) take(part);
}

const hostOf = (token: string): string | null =>
  /^https?:\/\/(?:[^\s/@]*@)?([^\s/?#:]+)/i.exec(token)?.[1] ?? null;

/** Has a digit, or a sign that joins the parts of addresses, paths and names of files and channels. */
export const looksLikeIdentifier = (token: string): boolean => /\d|[^.]\.[^.]|[@#/\\_]./.test(token);

function fromWords(text: string, take: Take): void {
  const words = text.split(/\s+/, mostWords);
  for (let first = 0; first < words.length; first++) {
    let name = '';
    for (const word of words.slice(first, first + longestName)) {
      name = name === '' ? word : `${name} ${word}`;
      take(name);
    }
  }
}

/** Longest text that is kept as one identifier, in characters. */
const longestIdentifier = 128;

const aSeparator = /[\s()\-/]/;
const separators = /[\s()\-/]+/g;
const numberLike = /^\+?[\d(][\d\s()\-/]*$/;
const grouped = /^[A-Za-z]{2}\d{2}[A-Za-z0-9 -]*$/;
const account = /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,30}$/;
const scheme = /^(?:https?:\/\/|mailto:)/i;
const email = /^[^\s@/]+@[^\s@/]+$/;
const edges = /^[\s"'`<([{*]+|[\s"'`>)\]}*.,;:!?]+$/g;
/** The characters of `edges`. */
const isOpening = asciiSet(' "\'`<([{*');
const isClosing = asciiSet(' "\'`>)]}*.,;:!?');
const isWord = asciiSet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
/** Not ASCII, or white space that is not one space. */
const unusual = /[^\0-\x7f]|\s\s|[^\S ]/;

/** Far longer texts than identifiers are not looked at: normalizing them is not free. */
export const mayBeIdentifier = (text: string): boolean => text.length <= 4 * longestIdentifier;

/**
 * The form in which equal identifiers are equal texts: a number without its separators, an address in lower case, a URL without
 * its scheme. Null for what is no identifier: too long, or nothing. The case of ids and of paths is kept: two ids that
 * differ in it are two.
 */
export function identifierOf(text: string): string | null {
  if (!mayBeIdentifier(text)) return null;
  const plain = plainOf(text);
  if (plain.length > longestIdentifier) return null;
  if (!startsWithIn(plain, isWord) && !/[\p{L}\p{N}]/u.test(plain)) return null;
  if (numberLike.test(plain))
    return (aSeparator.test(plain) ? plain.replaceAll(separators, '') : plain) || null;
  if (grouped.test(plain) && digitsIn(plain) >= 8) {
    const joined = plain.replaceAll(/[ -]/g, '');
    if (account.test(joined)) return joined.toUpperCase();
  }
  const bare = plain.includes(':') ? plain.replace(scheme, '') : plain;
  if (bare.includes('@') && email.test(bare)) return bare.toLowerCase();
  const slash = bare.indexOf('/');
  if (bare !== plain || slash > 0) return urlOf(bare, slash);
  return /\d/.test(bare) ? bare : bare.toLowerCase();
}

/** The text without surrounding characters, and with single spaces. Most texts need no replacement, and testing for one is several times faster. */
function plainOf(text: string): string {
  const isUnusual = unusual.test(text);
  let plain = isUnusual ? text.normalize('NFKC') : text;
  if (isUnusual || hasEdge(plain)) plain = plain.replaceAll(edges, '');
  return isUnusual ? plain.replaceAll(/\s+/g, ' ') : plain;
}

/** Whether a text begins or ends with an ASCII character that `edges` would remove. */
const hasEdge = (text: string): boolean =>
  startsWithIn(text, isOpening) || isIn(isClosing, text.charCodeAt(text.length - 1));

function urlOf(bare: string, slash: number): string {
  const host = slash < 0 ? bare : bare.slice(0, slash);
  const path = slash < 0 ? '' : bare.slice(slash);
  return (host.toLowerCase() + path).replace(/\/+$/, '');
}

function digitsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}

// Tells the tokens of a text that may be identifiers from ordinary words: a result of 100 KB has 16,000 words.

/** A digit, or a sign that addresses, paths and names have: without one a token is an ordinary word. A dot is one where something follows. */
const sign = /[\d@#/\\_]|\.(?=[^\s,;<>()[\]{}"'`|.])/g;

const isAsciiSeparator = asciiSet('\t\n\v\f\r ,;<>()[]{}"\'`|');
const space = /\s/;

/** Where a success is likely, cheaper than a regular expression: that keeps the text that matched. */
function asciiSet(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const one of characters) set[one.charCodeAt(0)] = 1;
  return set;
}
const isIn = (set: Uint8Array, code: number): boolean => code < 128 && set[code] === 1;
const startsWithIn = (text: string, set: Uint8Array): boolean => isIn(set, text.charCodeAt(0));

function isSeparator(code: number): boolean {
  if (code < 128) return isAsciiSeparator[code] === 1;
  // No other space is below the second range or between the two.
  return (code === 0xa0 || code >= 0x1680) && space.test(String.fromCharCode(code));
}

/** In characters, as which a longer token is taken apart. */
const longestToken = 512;

/**
 * Calls `take` with every token, of two characters or more, that has a digit, a sign or a dot in it. Only those are read
 * character by character: the search for the next sign is several times faster.
 */
export function eachToken(text: string, take: (token: string) => void): void {
  let after = 0;
  for (;;) {
    sign.lastIndex = after;
    if (!sign.test(text)) break;
    let start = sign.lastIndex - 1;
    let end = start + 1;
    while (start > after && !isSeparator(text.charCodeAt(start - 1))) start--;
    while (end < text.length && !isSeparator(text.charCodeAt(end))) end++;
    for (let from = start; end - from >= 2; from += longestToken)
      take(text.slice(from, Math.min(end, from + longestToken)));
    after = end;
  }
}
