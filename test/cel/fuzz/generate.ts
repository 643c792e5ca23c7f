import type { Random } from './random.ts';

// Expressions that are well typed, so that a refusal by the checker is a finding too.

export type Kind =
  | 'bool'
  | 'int'
  | 'double'
  | 'string'
  | 'ints'
  | 'strings'
  | 'map'
  | 'dyn'
  | 'time'
  | 'length'
  | TextKind;
/** Texts that convert to something. */
type TextKind = 'whole' | 'decimal' | 'truth' | 'span';

/** What the expressions run over; the libraries with bigint integers get it converted. */
export const data = {
  i: 3,
  j: -7,
  d: 2.5,
  e: -0.25,
  s: 'héllo wörld',
  t: 'a😀b',
  li: [1, 2, 3, 2],
  ls: ['a', 'b', 'héllo wörld', ''],
  m: { a: 1, b: 2, constructor: 3, 'x y': 4 },
  o: { a: { b: 1, constructor: 'own' }, list: [1, 'two', null, true], nothing: null, name: 'n', value: 1.5 },
} as const;

const LEAVES: Readonly<Record<Kind, readonly string[]>> = {
  bool: [
    'true',
    'false',
    'o.list[3] == true',
    'has(o.a.b)',
    'has(o.missing)',
    'has(o.a.toString)',
    'has(o.missing.b)',
  ],
  // biome-ignore format: short texts read better in rows
  int: [
    '0', '1', '-1', '2', '7', '100', 'i', 'j', 'm.a', 'm["b"]', 'm.constructor', 'm.missing', 'size(s)',
    'size(t)',
  ],
  double: ['0.0', '1.5', '-2.25', '1e3', 'd', 'e', '0.1'],
  // biome-ignore format: short texts read better in rows
  string: [
    '""', '"a"', '"b"', 's', 't', '"😀"', 'r"\\d"', "'it\\'s'", '"\\u00e9"', '"true"', '"12"', '"-3"',
    '"1.5"', '"2s"',
  ],
  ints: ['[]', '[1]', '[1, 2, 3]', 'li', '[i, j]', '[3, 1, 2]'],
  strings: ['[]', '["a"]', '["a", "b"]', 'ls', '[s, t]'],
  map: ['{}', 'm', '{"a": 1}', '{"k": i, "l": j}'],
  // biome-ignore format: short texts read better in rows
  dyn: [
    'o.a', 'o.list', 'o.nothing', 'o.name', 'o.value', 'o.a.b', 'o.missing', 'o.a.constructor',
    'o.toString', 'dyn(1)', 'dyn("a")', 'dyn([1])', 'o.list[0]', 'o.list[9]',
  ],
  time: [
    'timestamp("2026-02-28T23:59:59.5Z")',
    'timestamp("1969-12-31T23:00:00+02:00")',
    'timestamp("2024-02-29T00:00:00Z")',
  ],
  length: ['duration("1h30m")', 'duration("-1.5s")', 'duration("0s")', 'duration("36h")'],
  // Texts to convert: the other libraries read some that are no numbers, so these are; the unit tests have the rest.
  whole: ['"12"', '"-3"', '"0"', '"900"'],
  decimal: ['"1.5"', '"-2"', '"1e3"'],
  truth: ['"true"', '"false"'],
  span: ['"2s"', '"1h"', '"1.5s"', '"-3m"'],
};

/** Forms with holes: `$kind` is filled with an expression of that kind, `#` with a fresh variable's name. */
const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  // biome-ignore format: short texts read better in rows
  bool: [
    '$bool && $bool', '$bool || $bool', '!$bool', '($bool)', '$bool ? $bool : $bool', '$int == $int',
    '$int != $int', '$int < $int', '$int <= $int', '$int > $int', '$int >= $int', '$double < $double',
    '$double == $double', '$string == $string', '$string != $string', '$string < $string',
    '$string >= $string', '$ints == $ints', '$strings != $strings', '$map == $map', '$dyn == $dyn',
    '$dyn != $dyn', '$dyn == $int', '$dyn == $string', '$int in $ints', '$string in $strings',
    '$string in $map', '$string in ["a", "b", "c"]', '"a" in $strings', '$string.contains($string)',
    '$string.startsWith($string)', '$string.endsWith($string)', '$string.matches("^[a-z]+$")',
    '$string.matches(r"\\w*o")', '$string.matches("😀|é")', '$ints.all(#, # > $int)',
    '$ints.exists(#, # == $int)', '$ints.exists_one(#, # < $int)',
    '$strings.exists(#, #.contains($string))', '$map.all(#, $map[#] > 0)', '$map.exists(#, # == $string)',
    '$ints.all(#, $ints.exists(##, ## == #))', 'bool($truth)', '$time < $time', '$time == $time',
    '$length < $length', '$length == $length', '$dyn < $dyn', '$dyn && $bool', '$bool || $dyn',
  ],
  // biome-ignore format: short texts read better in rows
  int: [
    '$int + $int', '$int - $int', '$int * $int', '$int / $int', '$int % $int', '-$int', '($int)',
    '$bool ? $int : $int', 'size($string)', '$string.size()', 'size($ints)', 'size($map)', '$ints[$int]',
    '$ints[0]', '$map[$string]', '$map.a', 'int($double)', 'int($whole)', 'int($int)',
    '$time.getFullYear()', '$time.getMonth()', '$time.getDayOfWeek()', '$time.getDayOfYear()',
    '$time.getHours()', '$time.getMinutes("+05:30")', '$length.getMinutes()', '$length.getSeconds()',
    'int($time)', '$string.indexOf($string)', '$string.lastIndexOf($string)',
  ],
  double: [
    '$double + $double',
    '$double - $double',
    '$double * $double',
    '$double / $double',
    '-$double',
    'double($int)',
    'double($decimal)',
    '$bool ? $double : $double',
  ],
  // biome-ignore format: short texts read better in rows
  string: [
    '$string + $string', '$bool ? $string : $string', 'string($int)', 'string($bool)', 'string($string)',
    'string($time)', 'string($length)', '$strings[$int]', '$string.substring(1)',
    '$string.substring(0, $int)', '$string.charAt($int)', '$string.lowerAscii()', '$string.upperAscii()',
    '$string.trim()', '$string.replace("l", $string)', '$string.replace("a", $string, 1)',
    '$strings.join($string)', '$strings.join()',
  ],
  ints: [
    '$ints + $ints',
    '[$int, $int]',
    '$ints.map(#, # + $int)',
    '$ints.filter(#, # > $int)',
    '$ints.map(#, # > $int, # * 2)',
    '$bool ? $ints : $ints',
    '$strings.map(#, size(#))',
  ],
  strings: [
    '$strings + $strings',
    '[$string, $string]',
    '$strings.filter(#, # != $string)',
    '$strings.map(#, # + $string)',
    '$string.split($string)',
    '$ints.map(#, string(#))',
  ],
  map: ['{"a": $int, "b": $int}', '{$string: $int}', '$bool ? $map : $map'],
  dyn: [
    'dyn($int)',
    'dyn($string)',
    'dyn($ints)',
    'dyn($map)',
    '$bool ? dyn($int) : dyn($string)',
    'o.list[$int]',
    'o[$string]',
    'o.a[$string]',
  ],
  time: [
    '$time + $length',
    '$time - $length',
    '$length + $time',
    'timestamp($time)',

    '$bool ? $time : $time',
  ],
  length: [
    '$length + $length',
    '$length - $length',
    '$time - $time',
    'duration($span)',
    '$bool ? $length : $length',
  ],
  whole: ['string($int)'],
  decimal: ['string($int)'],
  truth: ['string($bool)'],
  span: ['string($int) + "s"'],
};

/** Forms of the optional syntax, for the libraries that know it. */
const OPTIONAL_FORMS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  bool: [
    'm[?$string].hasValue()',
    'o.?a.?b.hasValue()',
    'o.?missing.hasValue()',
    'optional.of($int).hasValue()',
    'optional.none().hasValue()',
  ],
  int: [
    'm[?$string].orValue($int)',
    'm.?a.orValue($int)',
    'm.?missing.orValue($int)',
    'optional.of($int).value()',
    'm[?$string].value()',
    'optional.of($int).optMap(#, # + 1).orValue(0)',
  ],
  dyn: [
    'o.?a.b.orValue(dyn(7))',
    'o.?missing.b.c.orValue(dyn("x"))',
    'o.?a.?toString.orValue(dyn(1))',
    'o.list[?$int].orValue(dyn(0))',
  ],
};

// biome-ignore format: short texts read better in rows
const ROOTS: readonly Kind[] = [
  'bool', 'bool', 'bool', 'int', 'int', 'double', 'string', 'ints', 'strings', 'map', 'dyn', 'time',
  'length',
];

export function generate(random: Random, optionals: boolean): string {
  return expression(random, random.pick(ROOTS), 1 + random.below(4), optionals, 0);
}

function expression(random: Random, kind: Kind, depth: number, optionals: boolean, scope: number): string {
  if (depth === 0 || random.below(6) === 0) return random.pick(LEAVES[kind]);
  const extra = optionals ? (OPTIONAL_FORMS[kind] ?? []) : [];
  const form = random.pick(extra.length > 0 && random.below(3) === 0 ? extra : FORMS[kind]);
  return form
    .replace(/##/g, `w${scope}`)
    .replace(/#/g, `v${scope}`)
    .replace(/\$([a-z]+)/g, (_, inner: Kind) => {
      const text = expression(random, inner, depth - 1, optionals, scope + 1);
      return /^[\w."[\]]+$/.test(text) ? text : `(${text})`;
    });
}
