/**
 * A regular expression as one of SMT-LIB that matches the whole text; null for one with a construct that is not translated: `\b`, classes of
 * Unicode, and the anchors `^` and `$` anywhere but at the ends of an alternative. A translation is exact for texts of one line.
 */
export function smtPattern(pattern: string): string | null {
  const reader = new Reader(pattern);
  try {
    const whole = reader.alternatives(true);
    return reader.isAtEnd ? whole : null;
  } catch (error) {
    if (error instanceof Untranslated) return null;
    throw error;
  }
}

class Untranslated {}
const untranslated = new Untranslated();

const anything = 're.all';

class Reader {
  readonly #pattern: string;
  #at = 0;
  #ignoresCase = false;

  constructor(pattern: string) {
    const ignores = pattern.startsWith('(?i)');
    this.#pattern = ignores ? pattern.slice(4) : pattern;
    this.#ignoresCase = ignores;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(expected?: string): string {
    const char = this.#peek();
    if (char === '' || (expected !== undefined && char !== expected)) throw untranslated;
    this.#at += 1;
    return char;
  }

  /** `isOutermost`: a match may stand anywhere in the text unless an anchor says otherwise. */
  alternatives(isOutermost = false): string {
    const all = [this.#sequence(isOutermost)];
    while (this.#peek() === '|') {
      this.#at += 1;
      all.push(this.#sequence(isOutermost));
    }
    return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
  }

  #sequence(isOutermost: boolean): string {
    const parts: string[] = [];
    const begins = isOutermost && this.#peek() === '^';
    if (begins) this.#at += 1;
    let ends = false;
    while (this.#peek() !== '' && this.#peek() !== '|' && this.#peek() !== ')') {
      if (this.#peek() === '$' && isOutermost) {
        this.#at += 1;
        ends = true;
        if (this.#peek() !== '' && this.#peek() !== '|') throw untranslated;
      } else parts.push(this.#repeated());
    }
    if (isOutermost && !begins) parts.unshift(anything);
    if (isOutermost && !ends) parts.push(anything);
    if (parts.length === 0) return '(str.to_re "")';
    return parts.length === 1 ? (parts[0] as string) : `(re.++ ${parts.join(' ')})`;
  }

  #repeated(): string {
    let one = this.#one();
    for (;;) {
      const operator = { '*': 're.*', '+': 're.+', '?': 're.opt' }[this.#peek()];
      if (operator !== undefined) {
        this.#at += 1;
        one = `(${operator} ${one})`;
        // Whether a repetition is greedy changes no answer to "does it match".
        if (this.#peek() === '?') this.#at += 1;
        continue;
      }
      const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#pattern.slice(this.#at));
      if (!counted) return one;
      this.#at += counted[0].length;
      one = repeated(one, Number(counted[1]), counted[2] === ',', counted[3] ?? '');
    }
  }

  #one(): string {
    const char = this.#take();
    switch (char) {
      case '(': {
        if (this.#peek() === '?') {
          this.#at += 1;
          this.#take(':');
        }
        const inner = this.alternatives();
        this.#take(')');
        return inner;
      }
      case '[':
        return this.#class();
      case '.':
        return '(re.diff re.allchar (str.to_re "\\u{a}"))';
      case '\\':
        return this.#escaped();
      case '^':
      case '$':
        throw untranslated;
      default:
        return this.#literal(char);
    }
  }

  #literal(char: string): string {
    const forms = this.#ignoresCase ? casesOf(char) : [char];
    const all = forms.map((form) => `(str.to_re ${text(form)})`);
    return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
  }

  #escaped(): string {
    const char = this.#take();
    const known = classes[char];
    if (known) return unionOf(known);
    const excluded = classes[char.toLowerCase()];
    if (excluded && char !== char.toLowerCase()) return `(re.diff re.allchar ${unionOf(excluded)})`;
    if (/[A-Za-z0-9]/.test(char)) return this.#literal(controls[char] ?? fail());
    return this.#literal(char);
  }

  #class(): string {
    const isNegated = this.#peek() === '^';
    if (isNegated) this.#at += 1;
    const ranges: [string, string][] = [];
    for (let isFirst = true; this.#peek() !== ']' || isFirst; isFirst = false) {
      const from = this.#member();
      if (typeof from !== 'string') ranges.push(...from);
      else if (this.#peek() === '-' && this.#pattern[this.#at + 1] !== ']') {
        this.#at += 1;
        const to = this.#member();
        if (typeof to !== 'string') throw untranslated;
        ranges.push([from, to]);
      } else ranges.push([from, from]);
    }
    this.#take(']');
    const all = unionOf(this.#ignoresCase ? ranges.flatMap(withCases) : ranges);
    return isNegated ? `(re.diff re.allchar ${all})` : all;
  }

  #member(): string | readonly [string, string][] {
    const char = this.#take();
    if (char === '[' && this.#peek() === ':') throw untranslated;
    if (char !== '\\') return char;
    const escaped = this.#take();
    if (classes[escaped]) return classes[escaped];
    if (/[A-Za-z0-9]/.test(escaped)) return controls[escaped] ?? fail();
    return escaped;
  }
}

function fail(): never {
  throw untranslated;
}

const classes: Readonly<Record<string, readonly [string, string][]>> = {
  d: [['0', '9']],
  w: [
    ['0', '9'],
    ['A', 'Z'],
    ['_', '_'],
    ['a', 'z'],
  ],
  s: [
    ['\t', '\n'],
    ['\f', '\r'],
    [' ', ' '],
  ],
};
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' };

const unionOf = (ranges: readonly [string, string][]): string => {
  const all = ranges.map(([from, to]) => `(re.range ${text(from)} ${text(to)})`);
  return all.length === 1 ? (all[0] as string) : `(re.union ${all.join(' ')})`;
};

/** RE2 folds by Unicode: `k` also matches the Kelvin sign, and `s` the long s. */
const folded: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f' };

function casesOf(char: string): string[] {
  if (char.charCodeAt(0) > 0x7f) throw untranslated;
  const lower = char.toLowerCase();
  return [...new Set([lower, char.toUpperCase(), ...(folded[lower] ?? [])])];
}

function withCases([from, to]: readonly [string, string]): [string, string][] {
  if (from === to) return casesOf(from).map((one) => [one, one]);
  const isLetters = /^[a-z]$/.test(from) && /^[a-z]$/.test(to);
  const isCapitals = /^[A-Z]$/.test(from) && /^[A-Z]$/.test(to);
  if (isLetters || isCapitals) {
    const more = Object.entries(folded).filter(
      ([letter]) => letter >= from.toLowerCase() && letter <= to.toLowerCase(),
    );
    return [
      [from.toLowerCase(), to.toLowerCase()],
      [from.toUpperCase(), to.toUpperCase()],
      ...more.map(([, other]): [string, string] => [other, other]),
    ];
  }
  if (/[A-Za-z]/.test(from + to) || to.charCodeAt(0) > 0x7f) throw untranslated;
  return [[from, to]];
}

function repeated(one: string, least: number, isRange: boolean, most: string): string {
  if (!isRange) return `((_ re.loop ${least} ${least}) ${one})`;
  if (most !== '') return `((_ re.loop ${least} ${Number(most)}) ${one})`;
  return `(re.++ ((_ re.loop ${least} ${least}) ${one}) (re.* ${one}))`;
}

/** A string of SMT-LIB: everything but plain ASCII is escaped. */
export function text(value: string): string {
  const escaped = Array.from(value, (char) => {
    const code = char.codePointAt(0) as number;
    return code >= 0x20 && code < 0x7f && char !== '"' && char !== '\\' ? char : `\\u{${code.toString(16)}}`;
  });
  return `"${escaped.join('')}"`;
}
