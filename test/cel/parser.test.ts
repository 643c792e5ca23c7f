import t from 'tap';
import { types } from '../../src/cel/index.ts';
import { parse } from '../../src/cel/parse/parser.ts';
import { type Case, runCases } from './cases.ts';
import { issueLines } from './evaluate.ts';

t.test('literals stand for what they spell', async (t) => {
  const cases: Case[] = [
    ['"a\\n\\t\\\\\\"\\u00e9\\U0001F600\\x41\\101\\?\\`"', 'a\n\t\\"é😀AA?`'],
    ["'''it's\n\"fine\"'''", 'it\'s\n"fine"'],
    ['r"\\d"', '\\d'],
    ["R'''\\'''", '\\'],
    ['"\\x414"', 'A4'],
    ['0xFF', 255],
    ['-9007199254740991', -9007199254740991],
    ['-0', 0],
    ['--5', 5],
    ['---5', -5],
    ['- -5', 5],
    ['-(5)', -5],
    ['!!true', true],
    ['1e3 + .5', 1000.5],
    ['1 // comment\n + 1', 2],
    ['[1, 2,]', [1, 2]],
    ['{"a": 1,}', { a: 1 }],
    ['{"a-b": 1}.`a-b`', 1],
    ['{"in": 1, "for": 2}.for', 2],
    ['.x', 5],
    ['true ? 1 : false ? 2 : 3', 1],
    ['1 + 2 * 3 - 8 / 4 % 3', 5],
    ['1 < 2 == true', true],
  ];
  runCases(t, cases, { variables: { x: types.int }, activation: { x: 5 } });
});

t.test('a syntax mistake is named, placed, and met with advice', async (t) => {
  const cases: [string, string][] = [
    ['', '1:1 syntax found the end where a value was expected'],
    ['1 +', '1:4 syntax found the end where a value was expected'],
    ['1 2', '1:3 syntax found "2" where an operator or the end was expected'],
    ['a and b', '1:3 syntax found "and" where an operator or the end was expected [for "and", write &&]'],
    ['not a', '1:5 syntax found "a" where an operator or the end was expected [for "not", write !]'],
    ['a = b', '1:3 syntax unexpected character "=" [to compare, write ==]'],
    ['a & b', '1:3 syntax unexpected character "&" [for "and", write &&]'],
    ['a\n  | b', '2:3 syntax unexpected character "|" [for "or", write ||]'],
    ['a # b', '1:3 syntax unexpected character "#"'],
    ['a 😀', '1:3 syntax unexpected character "😀"'],
    ['a.`b', '1:3 syntax unexpected character "`" [a quoted field name is written `like-this`]'],
    ['"abc', '1:1 syntax a string is not closed [add " at its end]'],
    ['"abc\n"', '1:1 syntax a string is not closed [add " at its end]'],
    ['r"abc\r"', '1:1 syntax a string is not closed [add " at its end]'],
    ['"abc\\', '1:1 syntax a string is not closed [add " at its end]'],
    ['rr"x"', '1:1 syntax unexpected character "r"'],
    [
      '"\\d"',
      '1:2 invalid_literal "\\d" is not an escape sequence [a backslash is written \\\\; in a regular expression use a raw string: r"\\d+"]',
    ],
    [
      '"\\u12"',
      '1:2 invalid_literal "\\u12" is not an escape sequence [a backslash is written \\\\; in a regular expression use a raw string: r"\\d+"]',
    ],
    [
      '"\\ud800"',
      '1:2 invalid_literal "\\ud800" is not an escape sequence [a backslash is written \\\\; in a regular expression use a raw string: r"\\d+"]',
    ],
    [
      '"\\U00110000"',
      '1:2 invalid_literal "\\U00110000" is not an escape sequence [a backslash is written \\\\; in a regular expression use a raw string: r"\\d+"]',
    ],
    ['1u', '1:1 unsupported unsigned integers are not part of this profile [leave the "u" away]'],
    ['b"x"', '1:1 unsupported bytes are not part of this profile [use a string]'],
    [
      'a.B{c: 1}',
      '1:1 unsupported message values are not part of this profile [for a map, write {"name": value}]',
    ],
    [
      '9223372036854775808',
      '1:1 invalid_literal 9223372036854775808 is out of range [integers reach from -9223372036854775808 to 9223372036854775807; write a double for more]',
    ],
    ['a.1', '1:2 syntax found ".1" where an operator or the end was expected'],
    ['a.true', '1:3 syntax found "true" where the name of a field was expected'],
    ['[1', '1:3 syntax found the end where "," or "]" was expected'],
    ['f(1,)', '1:5 syntax found ")" where a value was expected'],
    ['{1 2}', '1:4 syntax found "2" where ":" was expected'],
    ['a ? 1', '1:6 syntax found the end where ":" was expected'],
    ['. + 1', '1:1 syntax found "." where a value was expected'],
    ['for + 1', '1:1 syntax "for" is a reserved word [choose another name]'],
    ['`a`', '1:1 syntax found "a" where a value was expected'],
    [
      'has(a)',
      '1:1 invalid_macro has takes one field selection [write has(a.b); for a key, write "key" in a]',
    ],
    [
      'has(a.b, c)',
      '1:1 invalid_macro has takes one field selection [write has(a.b); for a key, write "key" in a]',
    ],
    ['cel.bind(x, 1)', '1:1 invalid_macro cel.bind takes a name, its value and an expression'],
    [
      'cel.bind(1, 2, 3)',
      '1:10 invalid_macro cel.bind needs a plain name for its variable [write it as in cel.bind(x, …)]',
    ],
    [
      '[1].all(x.y, true)',
      '1:9 invalid_macro all needs a plain name for its variable [write it as in all(x, …)]',
    ],
    ['[1].all(x, x, true)', '1:12 invalid_macro all binds "x" twice [use two names]'],
  ];
  for (const [source, expected] of cases) t.same(issueLines(source, { a: types.dyn }), [expected], source);
});

t.test('limits on size and depth hold exactly', async (t) => {
  const nested = (depth: number): string => `${'('.repeat(depth - 1)}1${')'.repeat(depth - 1)}`;
  t.same(issueLines(nested(24)), []);
  t.match(issueLines(nested(25)), [/^1:25 too_deep nested more than 24 levels deep/]);
  const chain = (operands: number): string => Array(operands).fill('1').join('+');
  t.same(issueLines(chain(250)), []);
  t.match(issueLines(chain(251)), [/too_many_nodes more than 500 operations and values/]);
  t.same(issueLines(`"${'a'.repeat(4094)}"`), []);
  t.match(issueLines(`"${'é'.repeat(2048)}"`), [
    /^1:1 source_too_long the expression has 4098 bytes, where 4096 are allowed/,
  ]);
  t.match(issueLines(`"${'€'.repeat(1365)}"`), [/source_too_long the expression has 4097 bytes/]);
  t.match(issueLines(`"${'😀'.repeat(1024)}"`), [/source_too_long the expression has 4098 bytes/]);
});

t.test('an error of ours is not taken for one of the source', async (t) => {
  const broken = {
    get nodes(): number {
      throw new RangeError('broken');
    },
    depth: 5,
  };
  t.throws(() => parse('1', broken), RangeError);
});
