import t from 'tap';
import { compileSchema } from '../../src/json-schema/compile.ts';
import { compileSchemaPattern } from '../../src/json-schema/patterns.ts';

const matches = (schema: object, value: unknown): boolean => compileSchema(schema)(value) === null;

t.test('each pattern of a schema is itself, wherever it stands', async (t) => {
  const one = { properties: { v: { type: 'string', pattern: '^a$' } } };
  t.ok(matches(one, { v: 'a' }));
  t.notOk(matches(one, { v: 'b' }));
  t.ok(matches({ properties: { v: { pattern: '^a#b#$' } } }, { v: 'a#b#' }));
  const two = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
  t.ok(matches(two, { a: 'a', b: 'b' }));
  t.notOk(matches(two, { a: 'a', b: 'a' }));
  const byPattern = { patternProperties: { '^n_': { type: 'number' }, '^s_': { type: 'string' } } };
  t.ok(matches({ ...byPattern, additionalProperties: false }, { n_a: 1, s_a: 'x' }));
  t.notOk(matches(byPattern, { n_a: 'x' }));
  t.notOk(matches(byPattern, { s_a: 1 }));
  t.notOk(matches({ ...byPattern, additionalProperties: false }, { other: 1 }));
  t.ok(matches({ propertyNames: { pattern: '^[a-z]+$' } }, { abc: 1 }));
  t.notOk(matches({ propertyNames: { pattern: '^[a-z]+$' } }, { ABC: 1 }));
});

const patterns =
  String.raw`\s+x|\S|[\S]|[^\s]|[\s\S]|.|[]|[^]|[[:alpha:]]|a{,3}|[\w-.]+|\cJ|\x41|\u0041|\u{1F600}|\ud83d\ude00|^a$|\bfoo|[\b]|(?<n>a)b|\-|\_|\A|\Z|\Q|\/|a]b|a}|{|x{2}|[a-]|[-a]|[&&]|[a^]|^[\u4e00-\u9fa5]+$|\p{L}|\p{Letter}|\p{gc=Lu}|\P{L}|\p{Script=Greek}|\c|\0|[\d-x]|[^\n]|\v|\ |[!-~]|\.|$^|(?:)|[\]]|[/]|\d{2,}|[\cJ]|\a|\e|\z|\x4|\u00`.split(
    '|',
  );
const texts =
  String.raw`|a|A|b|aa|aaa|ab|b |x|xx| x|\u00a0x|\u2028|\u2029|\n|\r|\t|\v|\b|\ufeff|\u180e|😀|-|.|_|é|λ|Z|Q|z|e|\u0007|[|]|:|::]|:]|a]|a]b|a}|{|a{,3}|/|&|^|~|!|0|12|foo|中文|\0|c|\\c|a\n|\u0085|\u001f|x4|u00`
    .split('|')
    .map((text) => JSON.parse(`"${text.replaceAll('\\v', '\\u000b').replaceAll('\\0', '\\u0000')}"`));

t.test('a pattern means what it means in JavaScript', async (t) => {
  for (const source of patterns) {
    const own = compileSchemaPattern(source).machine;
    let expected: RegExp;
    try {
      expected = new RegExp(source, 'u');
    } catch {
      expected = new RegExp(source);
    }
    const different = texts.filter((text) => own.test(text) !== expected.test(text));
    t.strictSame(different, [], source);
  }
});

t.test('a pattern that cannot be compared in linear time is refused, and says why', async (t) => {
  const cases: [pattern: string, message: RegExp][] = [
    ['(?=a)', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
    ['(?<n>a)\\k<n>', /refers back/],
    ['(?i:a)', /flags/],
    ['(', /no regular expression/],
    ['a{1001}', /instructions/],
    ['(a{100}){100}', /instructions/],
    ['\\p{scx=Greek}', /category or script/],
    ['a'.repeat(2_001), /longer than 2000 characters/],
  ];
  for (const [pattern, message] of cases) {
    t.throws(() => compileSchema({ properties: { v: { pattern } } }), { message }, pattern.slice(0, 40));
    t.throws(() => compileSchema({ properties: { v: { pattern } } }), {
      message: /#\/properties\/v\/pattern/,
    });
  }
});
