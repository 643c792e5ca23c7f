import type { Detector } from '../../detectors/index.ts';

/** Puts values of the same kind in the place of those that were detected: what is written down then says nothing of anybody. */
export interface StandIns {
  /** Looks for values in content. `spans`: texts in it that were detected by other means, and what they are. */
  learn(content: unknown, spans?: readonly (readonly [value: string, tag: string])[]): void;
  /** A copy of the content without the values that were learned; the same value has the same stand-in everywhere. */
  replace<Content>(content: Content): Content;
}

interface Found {
  tag: string;
  /** Where the value stood first: a stand-in must be detected there as the value was. */
  content: unknown;
}

/** Attempts for each number of characters that are kept from the start, such as `sk-live-` or the country of an IBAN. */
const attempts = 300;
const keptAtStart = [0, 2, 4, 8, 12];
/** Content that is scanned for each attempt; of longer one, a value is replaced by its mask. */
const longestContent = 20_000;
/** A shorter value is replaced only where it is a word: it may be part of others. */
const shortestAnywhere = 5;

export function createStandIns(detector: Detector): StandIns {
  const found = new Map<string, Found>();
  const standIns = new Map<string, string>();
  const random = createRandom();
  let count = 0;

  const tagsOf = (content: unknown): string => [...detector.scan(content).tags].sort().join();

  /** The mask where nothing else of the kind can be found. */
  function makeStandIn(value: string, { tag, content }: Found): string {
    count++;
    const mask = `[${tag}]`;
    if (tag === 'EMAIL_ADDRESS') return `person${count}@example.com`;
    if (JSON.stringify(content).length > longestContent) return mask;
    const wanted = tagsOf(content);
    for (const kept of keptAtStart) {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const candidate = alike(value, kept, random);
        if (!hides(value, candidate) || found.has(candidate)) continue;
        if (tagsOf(replaceIn(content, [[value, candidate]])) === wanted) return candidate;
      }
    }
    return mask;
  }

  function all(): [string, string][] {
    for (const [value, one] of found) if (!standIns.has(value)) standIns.set(value, makeStandIn(value, one));
    return [...standIns].sort(([one], [other]) => other.length - one.length);
  }

  return {
    learn(content, spans = []) {
      const values = detector
        .scan(content)
        .values()
        .map(([value, mask]) => [value, mask.slice(1, -1)] as const);
      for (const [value, tag] of [...values, ...spans])
        if (!found.has(value) && value !== `[${tag}]`) found.set(value, { tag, content });
    },
    replace: (content) => replaceIn(content, all()),
  };
}

/** Other digits and letters in the same places, from `kept` on. */
function alike(value: string, kept: number, random: (below: number) => number): string {
  const other = (first: string, size: number): string =>
    String.fromCharCode(first.charCodeAt(0) + random(size));
  return [...value]
    .map((character, place) => {
      if (place < kept) return character;
      if (/\d/.test(character)) return place === 0 ? other('1', 9) : other('0', 10);
      if (/\p{Lu}/u.test(character)) return other('A', 26);
      return /\p{L}/u.test(character) ? other('a', 26) : character;
    })
    .join('');
}

/** Whether most of a value is no longer in its stand-in. */
function hides(value: string, standIn: string): boolean {
  const others = [...standIn];
  const telling = [...value].filter((character) => /[\p{L}\p{N}]/u.test(character)).length;
  const changed = [...value].filter((character, place) => character !== others[place]).length;
  return changed > 0 && changed >= telling / 2;
}

function replaceIn<Content>(content: Content, pairs: readonly (readonly [string, string])[]): Content {
  const inText = (text: string): string => {
    let replaced = text;
    for (const [value, standIn] of pairs) {
      if (!replaced.includes(value)) continue;
      replaced =
        value.length < shortestAnywhere
          ? replaced.replace(asWord(value), () => standIn)
          : replaced.replaceAll(value, () => standIn);
    }
    return replaced;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (typeof value === 'number') {
      const text = String(value);
      const replaced = inText(text);
      if (replaced === text) return value;
      const other = Number(replaced);
      return Number.isNaN(other) ? replaced : other;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [inText(name), walk(member)]));
  };
  return walk(content) as Content;
}

const asWord = (value: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'gu');

/** The same numbers each time, so that recording a session twice gives the same test. They do not depend on the values. */
function createRandom(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    state ^= state >>> 12;
    return (state >>> 0) % below;
  };
}
