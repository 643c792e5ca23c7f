import t from 'tap';
import { checkStructure, type Schema } from '../../../src/policy/document/check-structure.ts';
import { pointerOf } from '../../../src/policy/document/policy-issue.ts';

function issues(schema: Schema, value: unknown): string[] {
  const found: string[] = [];
  checkStructure(schema, value, (path, { code, message, hint }, place = 'value') => {
    found.push([pointerOf(path), place, code, message, ...(hint ? [hint] : [])].join(' | '));
  });
  return found;
}

const animal: Schema = {
  type: 'object',
  required: ['name', 'legs'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5, pattern: '^[a-z]+$' },
    legs: { type: 'integer', minimum: 2, maximum: 8 },
    weight: { type: 'number' },
    kind: { type: 'string', enum: ['cat', 'dog', 'bird'] },
    only: { type: 'integer', enum: [1] },
    toys: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
    tool: { type: ['string', 'array'], items: { type: 'string' } },
    marks: { type: 'object', maxProperties: 2, patternProperties: { '^[a-z]$': { type: 'integer' } } },
    any: {},
    free: { type: 'object' },
    alive: { type: 'boolean' },
    note: { type: ['string', 'null'] },
  },
};
const cat = { name: 'tom', legs: 4 };

t.test('accepts what the schema describes', async (t) => {
  const full = {
    ...cat,
    weight: 4,
    kind: 'cat',
    only: 1,
    toys: ['ball'],
    tool: ['a'],
    marks: { a: 1 },
    any: { b: [null] },
    free: { toString: 1 },
    alive: true,
    note: null,
  };
  t.strictSame(issues(animal, full), []);
  t.strictSame(issues(animal, { ...cat, weight: 4.5, tool: 'a' }), []);
});

t.test('says what is wrong where, what was found and what was expected', async (t) => {
  const cases: [value: unknown, found: string[]][] = [
    [[], [' | value | wrong_type | the document: expected a map, found a list']],
    [null, [' | value | wrong_type | the document: expected a map, found nothing (null)']],
    [{ legs: 4 }, ['/name | value | missing_key | the document: "name" is missing']],
    [{ ...cat, name: '' }, ['/name | value | too_short | name: must not be empty']],
    [
      { ...cat, name: 'tommie' },
      ['/name | value | too_long | name: has 6 characters, at most 5 are allowed'],
    ],
    [{ ...cat, name: 'Tom' }, ['/name | value | bad_name | name: has to match ^[a-z]+$']],
    [
      { ...cat, name: 7 },
      ['/name | value | wrong_type | name: expected a text, found a whole number | put it in quotes'],
    ],
    [{ ...cat, legs: 4.5 }, ['/legs | value | wrong_type | legs: expected a whole number, found a number']],
    [{ ...cat, legs: 1 }, ['/legs | value | out_of_range | legs: has to be at least 2']],
    [{ ...cat, legs: 9 }, ['/legs | value | out_of_range | legs: has to be at most 8']],
    [
      { ...cat, kind: 'dgo' },
      ['/kind | value | not_allowed | kind: expected cat, dog or bird, found "dgo" | did you mean "dog"?'],
    ],
    [{ ...cat, only: 2 }, ['/only | value | not_allowed | only: expected 1, found 2']],
    [{ ...cat, toys: [] }, ['/toys | value | too_few | toys: needs at least 1 entry']],
    [
      { ...cat, toys: ['a', 'b', 'c'] },
      ['/toys | value | too_many | toys: has 3 entries, at most 2 are allowed'],
    ],
    [
      { ...cat, toys: ['a', true] },
      ['/toys/1 | value | wrong_type | toys[1]: expected a text, found true or false | put it in quotes'],
    ],
    [
      { ...cat, marks: { a: 1, b: 1, c: 'x' } },
      ['/marks | value | too_many | marks: has 3 entries, at most 2 are allowed'],
    ],
    [{ ...cat, tool: {} }, ['/tool | value | wrong_type | tool: expected a text or a list, found a map']],
    [{ ...cat, marks: { A: 1 } }, ['/marks/A | key | bad_name | marks: the name "A" has to match ^[a-z]$']],
    [
      { ...cat, marks: { a: 'x' } },
      ['/marks/a | value | wrong_type | marks.a: expected a whole number, found a text'],
    ],
    [
      { ...cat, weigth: 4 },
      ['/weigth | key | unknown_key | the document: unknown key "weigth" | did you mean "weight"?'],
    ],
    [
      { ...cat, constructor: 4 },
      ['/constructor | key | unknown_key | the document: unknown key "constructor"'],
    ],
    [{ ...cat, 'a b': 4 }, ['/a b | key | unknown_key | the document: unknown key "a b"']],
  ];
  for (const [value, found] of cases) t.strictSame(issues(animal, value), found, JSON.stringify(value));
});

t.test('reports all mistakes at once and quotes long values shortened', async (t) => {
  t.equal(issues(animal, { name: 1, legs: 'x', toys: [1, 2], odd: 1 }).length, 5);
  t.match(issues(animal, { ...cat, kind: 'x'.repeat(500) })[0], /found "x{59}…$/);
  t.strictSame(issues({ type: 'array', minItems: 2 }, []), [
    ' | value | too_few | the document: needs at least 2 entries',
  ]);
});
