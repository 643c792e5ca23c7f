import t from 'tap';
import { types } from '../../../src/cel/index.ts';
import { type Case, runCases } from '../cases.ts';
import { evaluate } from '../evaluate.ts';

const OUT = 'error: index_out_of_range';

t.test('string functions count characters as code points', async (t) => {
  const cases: Case[] = [
    ['size("a😀b")', 3],
    ['"a😀b".size()', 3],
    ['"a😀b".charAt(1)', '😀'],
    ['"a😀b".charAt(3)', ''],
    ['"abc".charAt(4)', OUT],
    ['"abc".charAt(-1)', OUT],
    ['"a😀b".substring(2)', 'b'],
    ['"a😀b".substring(0, 2)', 'a😀'],
    ['"abc".substring(2, 1)', OUT],
    ['"abc".substring(0, 9)', OUT],
    ['"😀b😀b".indexOf("b")', 1],
    ['"😀b😀b".indexOf("b", 2)', 3],
    ['"abc".indexOf("z")', -1],
    ['"abc".indexOf("a", 4)', OUT],
    ['"abc".indexOf("a", -1)', OUT],
    ['"😀b😀b".lastIndexOf("b")', 3],
    ['"😀b😀b".lastIndexOf("b", 2)', 1],
    ['"abc".lastIndexOf("z")', -1],
    ['"abc".lastIndexOf("a", 9)', OUT],
    ['"abc".lastIndexOf("a", -1)', OUT],
  ];
  runCases(t, cases);
});

t.test('string functions answer what the extension says', async (t) => {
  const cases: Case[] = [
    ['"Hello É".lowerAscii()', 'hello É'],
    ['"hello é".upperAscii()', 'HELLO é'],
    ['"  a b ".trim()', 'a b'],
    ['"ab😀".reverse()', '😀ba'],
    ['"hello".replace("l", "L")', 'heLLo'],
    ['"hello".replace("l", "L", 1)', 'heLlo'],
    ['"hello".replace("l", "L", 0)', 'hello'],
    ['"hello".replace("l", "L", -1)', 'heLLo'],
    ['"ab".replace("", "_")', '_a_b_'],
    ['"ab".replace("", "_", 2)', '_a_b'],
    ['"a,b,c".split(",")', ['a', 'b', 'c']],
    ['"a,b,c".split(",", 2)', ['a', 'b,c']],
    ['"a,b,c".split(",", 9)', ['a', 'b', 'c']],
    ['"a,b,c".split(",", 0)', []],
    ['"a,b,c".split(",", -1)', ['a', 'b', 'c']],
    ['"a😀".split("")', ['a', '😀']],
    ['["a", "b"].join()', 'ab'],
    ['["a", "b"].join("-")', 'a-b'],
    ['[].join("-")', ''],
    ['dyn(["a", 1]).join("-")', 'error: invalid_argument'],
    ['"\\u0085\\u3000a b\\t".trim() + "\\ufeff".trim()', 'a b\ufeff'],
    ['"   ".trim()', ''],
    ['strings.quote("\\a\\t\\\\é")', '"\\a\\t\\\\é"'],
    ['strings.quote("a\\"\\n")', '"a\\"\\n"'],
    ['"abc".contains("bc") && "abc".startsWith("ab") && "abc".endsWith("bc")', true],
    ['"abc".contains("x") || "abc".startsWith("b") || "abc".endsWith("b")', false],
  ];
  runCases(t, cases);
});

t.test('every string function stops when the budget is spent', async (t) => {
  // biome-ignore format: short texts read better in rows
  const calls = [
    's.contains("b")', 's.startsWith(s)', 's.endsWith(s)', 's.indexOf(s)', 's.indexOf("b")',
    's.lastIndexOf(s)', 's.trim()', 's.replace("a", s)', 's.split("")', '[s].join(s)', 'strings.quote(s)',
    'size(s)', 's + s', 's == t', 's < t', 's.matches("a")', 'int(s)',
  ];
  for (const call of calls) {
    const setting = {
      variables: { s: types.string, t: types.string },
      activation: { s: 'a'.repeat(999), t: 'a'.repeat(999) },
    };
    t.equal(evaluate(call, { ...setting, steps: 40 }), 'error: budget_spent', call);
  }
  const almost = { variables: { s: types.string }, activation: { s: 'a'.repeat(999) } };
  t.equal(evaluate('s.indexOf(s)', { ...almost, steps: 1010 }), 'error: budget_spent', 'the part counts too');
  t.equal(evaluate('s.split("")', { ...almost, steps: 1010 }), 'error: budget_spent', 'the pieces count too');
});
