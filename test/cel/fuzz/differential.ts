import { generate } from './generate.ts';
import { bufbuild, marcbachmann, type Oracle, ourResult, type Reply } from './oracles.ts';
import { Random } from './random.ts';

export interface Difference {
  readonly source: string;
  readonly oracle: string;
  readonly ours: string;
  readonly theirs: string;
}
export interface DifferentialResult {
  readonly evaluations: number;
  /** Answers compared with each oracle; the rest it could not give. */
  readonly compared: number;
  readonly declared: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

interface Declared {
  readonly why: string;
  readonly oracle: Oracle | null;
  readonly source: RegExp;
  /** The error of ours it is about, where it is about one. */
  readonly reason?: string;
}

// The table in src/cel/README.md has these, with what the specification or cel-go says of each.
const DECLARED: readonly Declared[] = [
  {
    why: 'numbers of unknown type mix here, integers and doubles stay apart there',
    oracle: null,
    source: /(?=.*\bo\b).*[-+*/%]/,
  },
  {
    why: 'dividing by a zero that is not a literal is an error here, infinite there',
    oracle: null,
    source: /\//,
    reason: 'division_by_zero',
  },
  {
    why: 'positions count code points here, UTF-16 units there',
    oracle: null,
    source: /(?=.*(😀|\bt\b))(?=.*(substring|charAt|split|indexOf|lastIndexOf)\()/i,
  },
  {
    why: 'upperAscii and lowerAscii change ASCII letters only here, all letters there',
    oracle: marcbachmann,
    source: /(?=.*(upper|lower)Ascii)(?=.*(\bs\b|\\u00e9|\bls\b))/,
  },
  {
    why: 'negative fractions of a second are carried wrongly there',
    oracle: marcbachmann,
    source: /1\.5s|59\.5Z/,
  },
  {
    why: 'adding a timestamp to a duration, in this order, gives no timestamp there',
    oracle: marcbachmann,
    source: /(?=.*duration)(?=.*\+)(?=.*timestamp)/,
  },
  {
    why: 'orValue looks at its argument only when it is needed here, always there',
    oracle: marcbachmann,
    source: /orValue/,
  },
  {
    why: 'an empty list added to another keeps the type of none there',
    oracle: marcbachmann,
    source: /\[\](?=.*\+)|\+(?=.*\[\])/,
  },
  {
    why: 'what is read from an empty map is of any type here, fits no list index there',
    oracle: marcbachmann,
    source: /\[\(*\{\}\)*\[/,
  },
  {
    why: 'fractions of a second are written without trailing zeros here, in threes there',
    oracle: bufbuild,
    source: /(?=.*string\()(?=.*(1\.5s|59\.5Z))/,
  },
];

const isDeclared = (one: Declared, source: string, reason: string, oracle: Oracle): boolean =>
  (one.oracle === null || one.oracle === oracle) &&
  one.source.test(source) &&
  (one.reason === undefined || one.reason === reason);

/** Runs `count` generated expressions here and in both other libraries. */
export function differential(seed: number, count: number): DifferentialResult {
  const random = new Random(seed);
  const differences: Difference[] = [];
  const declared: Record<string, number> = {};
  let compared = 0;
  for (let run = 0; run < count; run += 1) {
    const optionals = random.below(4) === 0;
    const source = generate(random, optionals);
    const { response, reason } = ourResult(source);
    for (const oracle of optionals ? [marcbachmann] : [bufbuild, marcbachmann]) {
      const theirs = oracle.response(source);
      if (theirs === 'unsupported') continue;
      compared += 1;
      if (text(response) === text(theirs)) continue;
      const known = DECLARED.find((one) => isDeclared(one, source, reason, oracle));
      if (known === undefined) {
        differences.push({
          source,
          oracle: oracle.name,
          ours: `${text(response)} ${reason}`,
          theirs: text(theirs),
        });
      } else declared[known.why] = (declared[known.why] ?? 0) + 1;
    }
  }
  return { evaluations: count, compared, declared, differences };
}

const text = (response: Reply): string => (typeof response === 'string' ? response : response.value);
