import type { Phase } from '../../schemas/decisions.ts';
import { mostIdentifiers } from '../../schemas/sightings.ts';
import { identifierOf, longestIdentifier } from './identifier.ts';
import { eachToken } from './tokens.ts';

/** Identifiers in a content, each once; `whole`: at least once as a whole field. Null when there are too many. */
export type Mentions = ReadonlyMap<string, boolean> | null;

/** What stands for an identifier, given as it was written: the same for all ways of writing it. Null for what is none. */
export type NameIdentifier = (written: string) => string | null;

/** The form of an identifier. Null for what is none, or is too short to be told from others. */
export function mentionOf(written: string): string | null {
  const identifier = identifierOf(written);
  return identifier === null || identifier.length < 2 ? null : identifier;
}

/** Words of a person's request that can be one name together: "to Green Park Dental Care". */
const longestName = 4;
/** Of a request, beyond which only what looks like an identifier is taken. */
const mostWords = 500;

/**
 * Every identifier in a JSON value: each text of up to 128 characters as a whole, and what looks like an address, URL, host,
 * number, id, path or name in all texts. What a person wrote (PROMPT) is short and in words, so all names of up to four words
 * are taken from it: "send it to Ann Smith" names Ann Smith.
 */
export function mentionsIn(content: unknown, phase: Phase, nameOf: NameIdentifier = mentionOf): Mentions {
  const found = new Map<string, boolean>();
  const add = (text: string, whole: boolean): void => {
    const name = nameOf(text);
    if (name === null) return;
    if (whole || !found.has(name)) found.set(name, whole);
  };
  const open: unknown[] = [content];
  while (open.length > 0) {
    const value = open.pop();
    if (found.size > mostIdentifiers) return null;
    if (typeof value === 'string') fromText(value, phase, open, add);
    else if (typeof value === 'number' || typeof value === 'bigint') {
      if (value >= 1_000 || value <= -1_000) add(String(value), true);
    } else if (Array.isArray(value)) for (const entry of value) open.push(entry);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, entry] of Object.entries(value)) {
        if (looksLikeIdentifier(key)) add(key, true);
        open.push(entry);
      }
    }
  }
  return found.size > mostIdentifiers ? null : found;
}

type Add = (text: string, whole: boolean) => void;

function fromText(text: string, phase: Phase, open: unknown[], add: Add): void {
  const parsed = structureIn(text);
  if (parsed !== undefined) {
    open.push(parsed);
    return;
  }
  if (text.length <= longestIdentifier) add(text, phase !== 'PROMPT');
  eachToken(text, (token) => fromToken(token, add));
  // The tests are several times faster than what they spare most texts.
  if (/\d/.test(text)) for (const number of text.match(groups) ?? []) add(number, false);
  if (aQuote.test(text)) for (const phrase of text.match(quoted) ?? []) add(phrase.slice(1, -1), false);
  if (phase === 'PROMPT') fromWords(text, add);
}

/** A result is often JSON inside of a text; its fields are fields. */
function structureIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Numbers and bank accounts that are written in groups. */
const groups = /(?:\+?\d|\b[A-Z]{2}\d{2})[\dA-Z ()\-/]{4,40}\d/g;
const aQuote = /["'\u201c\u201d\u2018\u2019`]/;
const quoted =
  /["'\u201c\u201d\u2018\u2019`][^"'\u201c\u201d\u2018\u2019`\n]{2,128}["'\u201c\u201d\u2018\u2019`]/g;

function fromToken(token: string, add: Add): void {
  if (!looksLikeIdentifier(token)) return;
  add(token, false);
  if (!/[:=]/.test(token)) return;
  const host = hostOf(token);
  if (host !== null) add(host, false);
  else for (const part of token.split(/[:=]/)) if (looksLikeIdentifier(part)) add(part, false);
}

const hostOf = (token: string): string | null =>
  /^https?:\/\/(?:[^\s/@]*@)?([^\s/?#:]+)/i.exec(token)?.[1] ?? null;

/** Has a digit, or a sign that joins the parts of addresses, paths and names of files and channels. */
const looksLikeIdentifier = (token: string): boolean => /\d|[^.]\.[^.]|[@#/\\_]./.test(token);

function fromWords(text: string, add: Add): void {
  const words = text.split(/\s+/, mostWords);
  for (let first = 0; first < words.length; first++) {
    let name = '';
    for (const word of words.slice(first, first + longestName)) {
      name = name === '' ? word : `${name} ${word}`;
      add(name, false);
    }
  }
}
