import t from 'tap';
import { type CelType, typeFromJsonSchema, typeName, typeOf, types } from '../../src/cel/index.ts';

/** Names with the fields of objects written out. */
function shape(type: CelType): string {
  if (type.kind === 'object')
    return `${type.name}{${[...type.fields].map(([name, field]) => `${name}: ${shape(field)}`).join(', ')}}`;
  return type.kind === 'list' ? `[${shape(type.element)}]` : typeName(type);
}

t.test('plain JSON has the type it shows', async (t) => {
  const cases: [unknown, string][] = [
    [1, 'int'],
    [1.5, 'double'],
    ['a', 'string'],
    [true, 'bool'],
    [null, 'null'],
    [undefined, 'dyn'],
    [[], '[dyn]'],
    [[1, 2], '[int]'],
    [[1, 2.5], '[double]'],
    [[1, 'a'], '[dyn]'],
    [
      { max: 3, tools: ['a'], nested: { on: true } },
      'object{max: int, tools: [string], nested: nested{on: bool}}',
    ],
    [[{ a: 1 }, { a: 2 }], '[object{a: int}]'],
    [[{ a: 1 }, { b: 2 }], '[dyn]'],
    [[{ a: 1 }, { a: 'x' }], '[dyn]'],
    [[{ a: 1 }, { a: 1, b: 2 }], '[dyn]'],
    [[[1], [2]], '[[int]]'],
    [[[1], 2], '[dyn]'],
    [JSON.parse('{"__proto__": 1, "constructor": "x"}'), 'object{__proto__: int, constructor: string}'],
  ];
  for (const [json, expected] of cases) t.equal(shape(typeOf(json)), expected);
  t.equal(shape(typeOf({ a: 1 }, 'params')), 'params{a: int}');
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level += 1) deep = [deep];
  t.match(shape(typeOf(deep)), /^\[+dyn\]+$/);
});

t.test('a JSON Schema types what it describes, and dyn what is not understood', async (t) => {
  const cases: [unknown, string][] = [
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'string' }, 'string'],
    [{ type: 'null' }, 'null'],
    [{ type: 'array', items: { type: 'string' } }, '[string]'],
    [{ type: 'array' }, '[dyn]'],
    [
      { type: 'object', properties: { url: { type: 'string' }, max: { type: 'integer' } } },
      'input{url: string, max: int}',
    ],
    [{ type: 'object', title: 'Search', properties: {} }, 'Search{}'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)'],
    [{ type: 'object' }, 'map(string, dyn)'],
    [{ type: ['string', 'null'] }, 'dyn'],
    [{ enum: ['a', 'b'] }, 'string'],
    [{ enum: ['a', 1] }, 'dyn'],
    [{ enum: [] }, 'dyn'],
    [{ enum: [null] }, 'dyn'],
    [{ const: true }, 'bool'],
    [{ const: 1 }, 'int'],
    [{ const: 1.5 }, 'double'],
    [{ anyOf: [{ type: 'string' }] }, 'dyn'],
    [{ $ref: '#/$defs/x' }, 'dyn'],
    [{ type: 'string', nullable: true }, 'dyn'],
    [{}, 'dyn'],
    [true, 'dyn'],
    [null, 'dyn'],
    [[], 'dyn'],
    ['string', 'dyn'],
  ];
  for (const [schema, expected] of cases) t.equal(shape(typeFromJsonSchema(schema)), expected);
  const endless: Record<string, unknown> = { type: 'array' };
  endless.items = endless;
  t.match(shape(typeFromJsonSchema(endless)), /^\[+dyn\]+$/);
});

t.test('types compare by what they are made of', async (t) => {
  const { sameType, commonType } = await import('../../src/cel/type.ts');
  const a = { kind: 'variable', id: 1 } as const;
  t.ok(sameType(a, { ...a }) && !sameType(a, { ...a, id: 2 }) && !sameType(a, types.int));
  t.ok(
    sameType(types.map(types.int), types.map(types.int)) &&
      !sameType(types.map(types.int), types.map(types.bool)),
  );
  t.notOk(sameType(types.map(types.int), types.int) || sameType(types.list(types.int), types.int));
  t.ok(
    sameType(types.optional(types.int), types.optional(types.int)) &&
      !sameType(types.optional(types.int), types.int),
  );
  t.notOk(
    sameType(types.object('A', {}), types.int) || sameType(types.object('A', {}), types.object('B', {})),
  );
  t.equal(commonType([]), types.dyn);
});
