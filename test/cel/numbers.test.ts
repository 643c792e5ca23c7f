import t from 'tap';
import { CelError, check, compile, createBudget, types } from '../../src/cel/index.ts';
import { readExactly } from '../../src/json/read-exactly.ts';
import { random } from '../json/random.ts';
import { runCases } from './cases.ts';
import { evaluate } from './evaluate.ts';

const { dyn, int } = types;
const variables = { a: dyn, b: dyn, i: int };
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Texts of JSON numbers at every border that matters, and around it. */
const texts: string[] = [];
for (const border of [
  0n,
  1n,
  10n,
  999n,
  2n ** 31n,
  2n ** 52n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n,
  2n ** 64n,
  10n ** 30n,
])
  for (const off of [-2n, -1n, 0n, 1n, 2n, 3n]) texts.push(String(border + off), String(-border + off));
texts.push(
  '0.5',
  '-0.5',
  '1.0',
  '1e3',
  '2.5',
  '0.1',
  '0.30000000000000004',
  '-0.0',
  '1e22',
  '1e300',
  '-1e300',
);
texts.push(
  '9007199254740992.0',
  '9007199254740993.0',
  '9223372036854775807.0',
  '1.8446744073709552e19',
  '4503599627370497.5',
);
const unique = [...new Set(texts)];

/** What a JSON number is to rules: an integer of up to 64 bits, else a double; an integer over 64 bits keeps its digits. */
interface Model {
  readonly int: bigint | null;
  readonly digits: bigint | null;
  readonly double: number;
}

function modelOf(text: string): Model {
  const digits = /^-?\d+$/.test(text) ? BigInt(text) : null;
  const double = Number(text);
  if (digits === null) return { int: Number.isSafeInteger(double) ? BigInt(double) : null, digits, double };
  return { int: digits >= MIN && digits <= MAX ? digits : null, digits, double };
}

/** A double times 2^1074, which is an integer: taken apart into its bits, with no arithmetic of doubles. */
function scaled(double: number): bigint {
  const bits = new BigUint64Array(new Float64Array([double]).buffer)[0] as bigint;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

const exactly = ({ int: whole, double }: Model): bigint => (whole === null ? scaled(double) : whole << 1074n);

/** Integers compare by their digits, even where one of them is a double to arithmetic. */
function compared(left: Model, right: Model): number {
  const areIntegers = left.digits !== null && right.digits !== null;
  const [a, b] = areIntegers ? [left.digits, right.digits] : [exactly(left), exactly(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const value = (text: string): unknown => readExactly(text);

/** A source that is compiled once, as a function of `a` and `b`. */
function compiled(source: string): (a: unknown, b?: unknown) => unknown {
  const result = check(source, { variables });
  if (!result.ok) throw new Error(source);
  const program = compile(result.expression);
  return (a, b) => {
    const found = program.run({ a, b }, createBudget());
    return found instanceof CelError ? `error: ${found.code}` : found;
  };
}

t.test('numbers from JSON compare exactly, whatever their kinds', async (t) => {
  const comparisons = compiled(
    '[a < b, a <= b, a == b, a != b, a >= b, a > b, a in [b], [a] == [b], {"k": a} == {"k": b}]',
  );
  let pairs = 0;
  for (const left of unique) {
    for (const right of unique) {
      const order = compared(modelOf(left), modelOf(right));
      const found = comparisons(value(left), value(right));
      const same = order === 0;
      const expected = [order < 0, order <= 0, same, !same, order >= 0, order > 0, same, same, same];
      if (JSON.stringify(found) !== JSON.stringify(expected)) t.fail(`${left} ? ${right}: ${found}`);
      pairs++;
    }
  }
  t.ok(pairs > 5_000, `${pairs} pairs`);
});

t.test('they compare exactly with literals too, on either side', async (t) => {
  for (const literal of unique) {
    const model = modelOf(literal);
    // Over 64 bits there are no integer literals.
    if (model.digits !== null && model.int === null) continue;
    const run = compiled(
      `[a < ${literal}, a == ${literal}, a >= ${literal}, ${literal} == a, ${literal} < a, a in [${literal}], a in [${literal}, "x"], ${literal} in [a]]`,
    );
    for (const text of unique) {
      const order = compared(modelOf(text), model);
      const same = order === 0;
      const expected = [order < 0, same, order >= 0, same, order > 0, same, same, same];
      const found = run(value(text));
      if (JSON.stringify(found) !== JSON.stringify(expected)) t.fail(`${text} ? ${literal}: ${found}`);
    }
  }
});

type Operator = '+' | '-' | '*' | '/' | '%';

const onDoubles: Record<Operator, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};
const onIntegers: Record<Operator, (a: bigint, b: bigint) => bigint | null> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => (a % b === 0n ? a / b : null),
  '%': (a, b) => a % b,
};

function computed(operator: Operator, left: Model, right: Model): string {
  if ((operator === '/' || operator === '%') && right.double === 0) return 'error: division_by_zero';
  if (left.int !== null && right.int !== null) {
    const result = onIntegers[operator](left.int, right.int);
    if (result !== null && result >= MIN && result <= MAX) return String(result);
  }
  return shown(onDoubles[operator](left.double, right.double));
}

/** -0 and 0 are one number, and so are a bigint and the double of the same text. */
const shown = (found: unknown): string => String(typeof found === 'number' ? found + 0 : found);

t.test(
  'they mix freely in arithmetic: exact up to 64 bits, as doubles beyond, and never truncated',
  async (t) => {
    for (const operator of Object.keys(onDoubles) as Operator[]) {
      const run = compiled(`a ${operator} b`);
      for (const left of unique) {
        for (const right of unique) {
          const expected = computed(operator, modelOf(left), modelOf(right));
          const found = shown(run(value(left), value(right)));
          if (found !== expected) t.fail(`${left} ${operator} ${right}: ${found}, expected ${expected}`);
        }
      }
    }
  },
);

t.test('random numbers agree with the same oracle', async (t) => {
  const below = random(11);
  const digits = (count: number): string =>
    `${below(2) === 0 ? '-' : ''}${1 + below(9)}${Array.from({ length: count }, () => below(10)).join('')}`;
  const any = (): string => {
    const whole = digits(below(22));
    const kind = below(4);
    return kind === 0 ? `${whole}.${below(1_000)}` : kind === 1 ? `${whole}e${below(20)}` : whole;
  };
  for (let round = 0; round < 5_000; round++) {
    const [left, right] = [any(), below(5) === 0 ? '7' : any()];
    const activation = { a: value(left), b: value(right) };
    const operator = (Object.keys(onDoubles) as Operator[])[below(5)] as Operator;
    const found = evaluate(`[a ${operator} b, a == b, a < b]`, { variables, activation });
    const expected = computed(operator, modelOf(left), modelOf(right));
    if (!Array.isArray(found)) {
      if (found !== expected) t.fail(`${left} ${operator} ${right}: ${found}, expected ${expected}`);
      continue;
    }
    const order = compared(modelOf(left), modelOf(right));
    if (shown(found[0]) !== expected || found[1] !== (order === 0) || found[2] !== order < 0)
      t.fail(`${left} ${operator} ${right}: ${found}, expected ${expected}, ${order}`);
  }
});

t.test('two different texts of integers are never equal', async (t) => {
  const below = random(5);
  for (let round = 0; round < 3_000; round++) {
    const left = Array.from({ length: 17 + below(8) }, (_, at) => (at === 0 ? 1 + below(9) : below(10))).join(
      '',
    );
    const right = left.slice(0, -1) + ((Number(left.at(-1)) + 1 + below(8)) % 10);
    const setting = { variables, activation: { a: value(left), b: value(right) } };
    for (const source of ['a == b', 'a in [b]', 'sets.intersects([a], [b])', '[a, b].distinct().size() == 1'])
      if (evaluate(source, setting) !== false) t.fail(`${left} ${right}: ${source}`);
  }
});

t.test('what is typed keeps the integers of CEL, and what is not does not truncate', async (t) => {
  const cases: [string, unknown][] = [
    ['i / 2', 3],
    ['size([1, 2, 3]) / 2', 1],
    ['a / 2', 3.5],
    ['7 / b', 3.5],
    ['(a + 1) / 3 * 3', 8],
    ['a / b > 3.4', true],
    ['{"x": a}.x / 2', 3.5],
    ['[a].map(x, x / 2)', [3.5]],
    ['(true ? a : 1) / 2', 3.5],
    ['optional.of(a).orValue(1) / 2', 3.5],
    ['(a + i) / 4', 3.5],
    ['math.greatest(a, 1) / 2', 3.5],
    ['-a / 2', -3.5],
    ['i + a', 14],
    ['i * 1.5', 'refused'],
  ];
  for (const [source, expected] of cases) {
    if (expected === 'refused') t.throws(() => evaluate(source, { variables }), source);
    else t.same(evaluate(source, { variables, activation: { a: 7, b: 2, i: 7 } }), expected, source);
  }
});

t.test('functions take integers of 64 bits', async (t) => {
  const big = 9007199254740993n;
  runCases(
    t,
    [
      ['int(a) == a && string(a) == "9007199254740993" && int("9007199254740993") == a', true],
      ['double(a)', 9007199254740992],
      ['math.abs(-a) == a && math.sign(-a) == -1', true],
      ['math.greatest(a, 1.5, 9007199254740992) == a && math.least([a, 1]) == 1', true],
      ['math.ceil(a)', 9007199254740992],
      ['[a, 9007199254740992, 9007199254740994, 1].sort()', [1, 9007199254740992n, big, 9007199254740994n]],
      ['{9007199254740993: "x"}[a]', 'x'],
      ['a in {9007199254740993: "x"} && !(a in {9007199254740992: "x"})', true],
      ['[1, 2][?a].hasValue()', false],
      ['[1, 2][a]', 'error: index_out_of_range'],
      ['"text".charAt(a)', 'error: index_out_of_range'],
      ['"text".substring(a)', 'error: index_out_of_range'],
      ['lists.range(a)', 'error: budget_spent'],
      ['timestamp(a)', 'error: overflow'],
      ['-9223372036854775808 < a', true],
      ['0x7fffffffffffffff == 9223372036854775807', true],
    ],
    { variables, activation: { a: big } },
  );
  const over = 2n ** 64n + 1n;
  runCases(
    t,
    [
      ['int(a)', 'error: overflow'],
      ['double(a) == 18446744073709551616.0 && a == 18446744073709551616.0', true],
      ['string(a)', '18446744073709552000'],
      ['a * 2', 2 ** 65],
      ['math.floor(a)', 2 ** 64],
      ['{a: 1}', 'error: no_such_overload'],
    ],
    { variables, activation: { a: over } },
  );
});
