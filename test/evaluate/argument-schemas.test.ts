import t from 'tap';
import { compileArguments } from '../../src/evaluate/catalogue.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { processorMs } from '../helpers/longest-step.ts';

const check = (schema: object, own: object): string | null =>
  compileArguments(schema as Record<string, unknown>)({ nested: [], own: own as Record<string, unknown> });

/** `{a: {a: … }}`, so deep. */
function nested(depth: number, innermost: object = {}): object {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
}

t.test('a schema that refers to itself describes what is nested', async (t) => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    additionalProperties: false,
  };
  t.equal(check(tree, { name: 'a', children: [{ name: 'b', children: [{}] }] }), null);
  t.match(check(tree, { children: [{ children: [{ name: 1 }] }] }), /must be string/);
  const list = { $defs: { link: { properties: { next: { $ref: '#/$defs/link' } }, maxProperties: 1 } } };
  const linked = { ...list, $ref: '#/$defs/link' };
  t.equal(check(linked, { next: { next: {} } }), null);
  t.match(check(linked, { next: { a: 1, b: 2 } }), /at most 1 properties/);
  t.match(
    check({ additionalProperties: false }, { assizeStep: 1 }),
    /additional/,
    'its own keyword is no argument',
  );
  t.match(check({ properties: { a: {} }, additionalProperties: false }, { assizeStep: 1 }), /additional/);
  t.equal(check({ properties: { default: {}, b: { $ref: '#/properties/default' } } }, { b: 1 }), null);
});

t.test('however a schema refers to itself, comparing takes a bounded time, and does not match', async (t) => {
  const twice = (ref: string) => ({ allOf: [{ $ref: ref }, { $ref: ref }] });
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(`#/$defs/d${n + 1}`)]),
  );
  const cases: [what: string, schema: object, input: object][] = [
    ['twice at each level', { properties: { a: twice('#') } }, nested(60)],
    [
      'in either of two ways',
      { properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, b: false } },
      nested(60, { b: 1 }),
    ],
    ['with one of many', { properties: { a: { oneOf: [{ $ref: '#' }, { $ref: '#' }] } } }, nested(60)],
    ['for any name', { additionalProperties: twice('#') }, nested(60)],
    [
      'at the end of a chain',
      { properties: { a: { $ref: '#/$defs/d0' } }, $defs: { ...doubling, d40: {} } },
      nested(1),
    ],
    [
      'under a keyword that nobody knows',
      {
        properties: { a: { $ref: '#/x/d0' } },
        x: { ...JSON.parse(JSON.stringify(doubling).replaceAll('$defs', 'x')), d40: {} },
      },
      nested(1),
    ],
  ];
  for (const [what, schema, input] of cases) {
    let checked: ReturnType<typeof check> = null;
    const ms = processorMs(() => {
      checked = check(schema, input);
    });
    t.match(checked, /too many steps/, what);
    t.ok(ms < 1_500, what);
  }
  t.equal(check({ properties: { a: { $ref: '#' } } }, nested(60)), null, 'once at each level');
  const wide = Array.from({ length: 100_000 }, (_, n) => ({ n }));
  const entries = { properties: { all: { items: { properties: { n: { type: 'integer' } } } } } };
  t.equal(check(entries, { all: wide }), null, 'many entries');
});

t.test('a schema without an end, and one that hides where it leads, is refused with its place', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const put = async (inputSchema: object) =>
    app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, {
      tools: [{ name: 'x', effect: 'READ', inputSchema }],
    });
  const cases: [schema: object, message: RegExp][] = [
    [{ $ref: '#' }, /refers to itself without an end/],
    [{ allOf: [{ $ref: '#' }] }, /refers to itself without an end/],
    [{ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, /without an end/],
    [{ $dynamicRef: '#' }, /without an end/],
    [{ $ref: '#/default', default: { allOf: [] } }, /leads into default, not to a schema/],
    [{ properties: { a: { $ref: '#/enum/0' } }, enum: [{}] }, /leads into enum/],
    [{ $ref: '#/%E0' }, /JSON Schema/],
    [{ $ref: '#/$defs/none' }, /JSON Schema/],
  ];
  for (const [schema, message] of cases) {
    const { status, body } = await put(schema);
    t.match(
      [status, body.errors?.[0]],
      [400, { path: '/tools/0/inputSchema', message }],
      JSON.stringify(schema),
    );
  }
  t.equal((await put({ type: 'object', properties: { next: { $ref: '#' } } })).status, 200);
});

t.test('#36: all places in which a call may have arguments share one budget', async (t) => {
  const entries = Array.from({ length: 5_000 }, (_, n) => ({ n }));
  const schema = { properties: { all: { items: { properties: { n: { type: 'integer' } } } } } };
  const mistakeIn = (places: number) =>
    compileArguments(schema)({ nested: Array.from({ length: places }, () => ({ all: entries })), own: {} });
  t.equal(mistakeIn(2), null);
  t.match(mistakeIn(100), /too many steps/);
});
