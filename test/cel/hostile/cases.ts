import {
  CelError,
  type CelType,
  check,
  compile,
  createBudget,
  type Program,
  preparePattern,
  types,
} from '../../../src/cel/index.ts';

/** A policy, or input, written to make the evaluator slow, large or fall over. */
export interface HostileCase {
  readonly name: string;
  /** Rules of one evaluation: they share its budget. */
  readonly sources: readonly string[];
  readonly variables: Readonly<Record<string, CelType>>;
  readonly activation: Readonly<Record<string, unknown>>;
}

export interface HostileResult {
  readonly checkMs: number;
  readonly runMs: number;
  readonly heapMb: number;
  /** The last rule's value or error code, or `refused: <code>`. */
  readonly outcome: string;
}

const numbers = Array.from({ length: 1000 }, (_, index) => index);
const texts = numbers.map((index) => `${'a'.repeat(2000)}${index}`);
const text64 = (unit: string): string => unit.repeat(Math.ceil(65_536 / unit.length)).slice(0, 65_536);
const same = (count: number, source: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => source(index));

/** Nothing is known of the values, so the static cost says little and the budget has to do the work. */
const dyn = { l: types.dyn, s: types.dyn, t: types.dyn, m: types.dyn };
const make = (
  name: string,
  activation: Readonly<Record<string, unknown>>,
  sources: readonly string[],
): HostileCase => ({
  name,
  sources,
  variables: dyn,
  activation: { l: [], s: '', t: '', m: {}, ...activation },
});

function nestedJson(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const doubling = (levels: number): string => {
  let body = 'v0';
  for (let level = levels; level > 0; level -= 1) {
    body = `cel.bind(v${level - 1}, ${level === 1 ? 's + s' : `v${level - 2} + v${level - 2}`}, ${level === levels ? `v${level - 1}` : body})`;
  }
  return `size(${body}) > 0`;
};

export function hostileCases(): HostileCase[] {
  const large = {
    l: numbers,
    s: text64('a'),
    t: text64('ab'),
    m: Object.fromEntries(texts.map((key) => [key, key])),
  };
  return [
    make('nested macros over 1,000 elements', large, [
      'l.all(a, l.all(b, l.exists(c, a + b + c < 0) || true))',
    ]),
    make('nested maps building lists', large, ['l.map(a, l.map(b, [a, b])).size() > 0']),
    make('nested filters of flattened lists', large, ['l.map(a, l).flatten().filter(x, x > 5).size() > 0']),
    make('lists doubled by adding', large, [doubling(20).replace('s + s', 'l + l')]),
    make('strings doubled by adding', large, [doubling(20)]),
    make('a string grown by replace', large, ['s.replace("a", s).size() > 0']),
    make('a string grown by join', large, ['l.map(x, s).join(s).size() > 0']),
    make('empty separators', large, ['l.all(x, s.split("").size() > 0 && s.replace("", "b").size() > 0)']),
    make('equal long strings compared', { ...large, t: text64('a') }, ['l.all(a, l.all(b, s == t || true))']),
    make('equal long strings ordered', { ...large, t: `${text64('a')}b` }, [
      'l.all(a, l.all(b, s < t || true))',
    ]),
    make('long strings sorted', { ...large, l: texts }, ['l.all(x, l.sort().size() > 0)']),
    make('equal deep lists compared', { ...large, l: texts.map((one) => [[one]]) }, ['l.all(x, l == l)']),
    make('distinct of many', { ...large, l: texts }, ['l.distinct().size() > 0']),
    make('sets compared', { ...large, l: texts }, ['l.all(x, sets.equivalent(l, l))']),
    make('indexOf with near misses', { ...large, t: `${text64('a').slice(0, 32_768)}b` }, [
      'l.all(x, s.indexOf(t) < 0)',
    ]),
    make('contains with near misses', { ...large, t: `${text64('a').slice(0, 32_768)}b` }, [
      'l.all(x, !s.contains(t))',
    ]),
    make('lastIndexOf with near misses', { ...large, t: `b${text64('a').slice(0, 32_768)}` }, [
      'l.all(x, s.lastIndexOf(t) < 0)',
    ]),
    make('split with near misses', { ...large, t: `${text64('a').slice(0, 32_768)}b` }, [
      'l.all(x, s.split(t).size() > 0)',
    ]),
    make('character positions of emoji', { ...large, s: text64('😀') }, [
      'l.all(x, s.charAt(30000).size() >= 0 && s.substring(1, 30000).size() > 0)',
    ]),
    make('code points counted', { ...large, s: text64('😀') }, ['l.all(x, size(s) > 0)']),
    make('keys of a large map', large, ['l.all(x, m.all(k, k in m))']),
    make('sizes of a large map', large, ['l.all(x, l.all(y, size(m) > 0))']),
    make('large maps compared', large, ['l.all(x, m == m)']),
    make('keys listed to look at the first', large, ['l.all(x, l.all(y, m.exists(k, true)))']),
    make('entries of large maps merged', large, ['l.all(x, [1].transformMapEntry(i, v, m).size() > 0)']),
    make('large maps tested for being empty', large, [
      'l.all(x, l.all(y, optional.ofNonZeroValue(m).hasValue()))',
    ]),
    make('maps transformed', large, ['l.all(x, m.transformMap(k, v, v + v).size() > 0)']),
    make('a range as long as asked for', large, ['lists.range(9007199254740991).size() > 0']),
    make('negative sizes', large, ['lists.range(-1).size() == 0 && [1].slice(-1, 0).size() == 0']),
    make('time zones made up', large, ['l.all(x, timestamp(0).getHours("Etc/GMT+" + string(x % 12)) >= 0)']),
    make('many real time zones', large, ['l.all(x, timestamp(x).getHours("Europe/Berlin") >= 0)']),
    make('durations read', { ...large, t: '1h'.repeat(30_000) }, [
      'l.all(x, duration(t) > duration("1s") || true)',
    ]),
    make('numbers read', { ...large, t: '1'.repeat(60_000) }, ['l.all(x, int(t) > 1 || true)']),
    make('searches that fail late, from every place', { ...large, t: text64('ab').slice(0, 4000) }, [
      'l.all(x, t.findAll(r"a.*c|a").size() > 0)',
    ]),
    make('searches with many groups', { ...large, s: pseudoRandom(900) }, [
      `l.all(x, s.find(r"${'(a|b)*'.repeat(20)}z").size() == 0)`,
    ]),
    make('searches with states that explode', { ...large, s: `${pseudoRandom(6000)}c` }, [
      'l.all(x, s.find(r"(a|b)*a((a|b){18})[cd]").size() >= 0)',
    ]),
    make('long texts decoded', { ...large, s: text64('YWFh').slice(0, 65_536) }, [
      'l.all(x, base64.decode(s).size() > 0)',
    ]),
    make(
      'large JSON read',
      { ...large, s: JSON.stringify(numbers.map((n) => ({ [`k${n}`]: [n, '\u0061'] }))) },
      ['l.all(x, json(s).size() > 0)'],
    ),
    make(
      'long URLs read',
      { ...large, s: `https://a.example/${'%61/../'.repeat(5000)}?${'a=b&'.repeat(5000)}` },
      ['l.all(x, url(s).path.size() > 0)'],
    ),
    make(
      'URLs of many parameters',
      { ...large, s: `https://a.example/?${numbers.map((n) => `k${n}=%41`).join('&')}` },
      ['l.all(x, url(s).query.size() > 0)'],
    ),
    make('addresses read', { ...large, s: '1:2:3:4:5:6:7:8' }, [
      'l.all(x, l.all(y, ip(s).isPrivate() || true))',
    ]),
    make('ranges asked', large, [
      'cel.bind(c, cidr("10.0.0.0/8"), l.all(x, l.all(y, c.containsIP("10.2.3.4"))))',
    ]),
    make('mail addresses read', { ...large, s: `${'a'.repeat(60_000)}@` }, [
      'l.all(x, emailDomain(s) == "" || true)',
    ]),
    make('named mail addresses read', { ...large, s: `${'a '.repeat(30_000)}<a` }, [
      'l.all(x, emailDomain(s) == "" || true)',
    ]),
    make('texts filled in', { ...large, s: '%s'.repeat(30), l: texts.slice(0, 30) }, [
      'lists.range(1000).all(x, s.format(l).size() > 0 || true)',
    ]),
    make('numbers written with many digits', large, [
      'l.all(x, l.all(y, "%.20f %.20e".format([1e300, 0.1]).size() > 0))',
    ]),
    make('lists summed and sorted', large, ['l.all(x, l.sum() > 0 && l.max() > 0 && l.isSorted())']),
    make('lists searched in lists', { ...large, l: texts }, [
      'l.all(x, l.containsAll(l) && l.containsAny(l))',
    ]),
    // Short values, so that it is the call that costs, and not the length of what it reads.
    ...Object.entries({
      'fields that are missing': 'x.a == 1',
      'fields of what has none': 'dyn(x).a.b == 1',
      'numbers as texts': 'string(x + 0.1) == ""',
      'times as texts': 'string(timestamp(x)) == ""',
      'times read': 'timestamp("2026-01-31T00:00:00Z") < timestamp(0)',
      'lengths as texts': 'string(duration("1h") + duration("1s")) == ""',
      'small texts changed': '"A b".lowerAscii() == ""',
      'small texts trimmed': '" A ".trim() == "" && " B ".reverse() == ""',
      'small texts split': '"a,b".split(",").join("-") == ""',
      'small texts replaced': '"a,b".replace(",", "-") == ""',
      'small texts quoted': 'strings.quote("a") == ""',
      'small texts filled in': '"%s %d".format([x, 1]) == ""',
      'small texts searched': '"a b".find(r"[a-z]+") == ""',
      'small texts searched for all': '"a b".findAll(r"[a-z]+").size() == 0',
      'small texts extracted': '"a b".extract(r"([a-z]+)").hasValue() == false',
      'small texts matched': '"a b".matches(r"(x|y)+z")',
      'small JSON read': 'json("{\\"a\\":1}").a == 2',
      'small base64 read': 'base64.decode("YQ==") == ""',
      'small URLs read': 'url("https://a.example/b?c=d").host == ""',
      'small ranges read': 'cidr("10.0.0.0/8").containsIP("11.0.0.1")',
      'small IPv6 addresses written': 'string(ip("2001:db8::1")) == ""',
      'mail domains': 'emailDomain("a@b.example") == ""',
      'optionals made': 'optional.of(x).orValue(1) == -1',
      'keys that may be missing': 'm[?"k"].orValue(0) == 1',
      'types compared': 'type(x) == string',
      'small maps made': '{"a": x, "b": x}.a == -1',
      'small lists made': '[x, x].contains(1)',
      'small lists sorted': '[x, 1].sort() == []',
      'small lists summed': '[x, 1].sum() == -1',
      'small lists made distinct': '[x, 1, x].distinct().size() == 0',
      'small loops': '[x, 1].exists(y, y == -1)',
      'small loops over maps': '{"a": x}.exists(y, y == "b")',
      'errors in both sides': 'x.a == 1 || x.b == 1 && x.c == 1',
      'comparisons without an order': 'dyn(x) < dyn("a")',
      'large integers': 'dyn(x) + 9007199254740993 == 1',
      'products of large integers': 'dyn(x) * 9007199254740993 % 7 == -1',
      'times in time zones': 'timestamp(x).getFullYear("Asia/Tokyo") == 1',
      'ranks of severities': 'x in {"a": 1}',
      'small sets compared': 'sets.contains([x], [1, -1])',
    }).map(([name, body]) => make(name, large, [`l.all(a, l.all(x, !(${body}) || true))`])),
    make('deep input compared', { ...large, l: [nestedJson(20_000)], m: nestedJson(20_000) }, ['l[0] == m']),
    make('deep input flattened', { ...large, l: nestedJson(20_000) }, [
      'l.flatten(9007199254740991).size() > 0',
    ]),
    make(
      '50 regexes: nested quantifiers',
      large,
      same(50, (index) => `s.matches(r"(a*)*(a|a?)*[b${index}]$")`),
    ),
    make(
      '50 regexes: counted repetition',
      large,
      same(50, (index) => `s.matches(r"(a?){60}a{60}${index}$")`),
    ),
    make(
      '50 regexes: alternation of suffixes',
      large,
      same(50, (index) => `t.matches(r"(?:.*a.*b.*){4}${index}c$")`),
    ),
    // Texts as long as the budget lets a pattern see: longer ones only spend it sooner.
    make('50 regexes: states that explode', { ...large, s: pseudoRandom(10_000) }, [
      ...same(50, (index) => `s.matches(r"(a|b)*a(a|b){${10 + (index % 8)}}[cd]${index}")`),
    ]),
    make('a regex with states that explode', { ...large, s: pseudoRandom(23_000) }, [
      's.matches(r"(a|b)*a(a|b){18}[cd]3")',
    ]),
    make('a large regex with states that explode', { ...large, s: pseudoRandom(7_500) }, [
      's.matches(r"(a|b)*a(a|b){60}[cd]3")',
    ]),
    make(
      '50 regexes: word boundaries and classes',
      large,
      same(50, (index) => `t.matches(r"(?i)(\\b\\pL+\\b\\W?)+${index}")`),
    ),
  ];
}

/** Half a's, half b's in an order no cache of states can know, and the letters a quick test would miss. */
function pseudoRandom(length: number): string {
  let state = 12_345;
  let text = 'cd0123456789';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += (state >>> 16) & 1 ? 'a' : 'b';
  }
  return text;
}

export function runHostile({ sources, variables, activation }: HostileCase): HostileResult {
  const started = performance.now();
  const programs: Program[] = [];
  for (const source of sources) {
    const result = check(source, { variables, limits: { cost: Number.POSITIVE_INFINITY } }, types.bool);
    if (!result.ok) {
      const [issue] = result.issues;
      return {
        checkMs: performance.now() - started,
        runMs: 0,
        heapMb: 0,
        outcome: `refused: ${issue?.code}`,
      };
    }
    for (const plan of result.expression.calls.values())
      if (plan.kind === 'matches' && plan.pattern) preparePattern(plan.pattern);
    programs.push(compile(result.expression));
  }
  const checkMs = performance.now() - started;
  const heapBefore = process.memoryUsage().heapUsed;
  const budget = createBudget();
  const cpuBefore = process.cpuUsage();
  let last: unknown;
  for (const program of programs) last = program.run(activation, budget);
  // Time of the processor: other work on the machine is not the policy's fault.
  const { user, system } = process.cpuUsage(cpuBefore);
  const runMs = (user + system) / 1000;
  const heapMb = (process.memoryUsage().heapUsed - heapBefore) / 1_048_576;
  return { checkMs, runMs, heapMb, outcome: last instanceof CelError ? last.code : String(last) };
}
