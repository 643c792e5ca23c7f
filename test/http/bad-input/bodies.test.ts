import t from 'tap';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { filled } from './filled.ts';
import { goodDocument, operations } from './operations.ts';
import { openRequestFixtures, type Refused, refuses, type Sent, wroteNothing } from './request-fixtures.ts';

const invalid = (path: string, message: RegExp): Refused => ({ status: 400, code: 'invalid', path, message });
const notJson = invalid('', /^the body is not valid JSON: line 1, column \d+: /);
const notUtf8 = invalid('', /^the body must be UTF-8$/);
const tooLarge: Refused = { status: 413, code: 'too_large', path: '', message: /^the body is too large$/ };
const twice = /^the key occurs twice in its object$/;
const notAField = /^is not a field of this request$/;
const array = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const mebibyte = 1_048_576;

/** JSON texts and bytes that no route takes. */
const unreadable: [string, Buffer | string, Refused][] = [
  ['half an object', '{', notJson],
  ['two values', '{}{}', notJson],
  ['quotes of another language', "{'status':1}", notJson],
  ['a key whose text never ends', '"\\":', notJson],
  ['a trailing comma', '{"status":"COMPLETED",}', notJson],
  ['a comment', '{}//', notJson],
  ['NaN', 'NaN', notJson],
  ['a byte order mark', '\ufeff{}', notJson],
  ['a space only', ' ', notJson],
  ['NUL', '\0', notJson],
  ['a form', 'status=COMPLETED', notJson],
  ['2 MB', `{"a":"${'x'.repeat(2 * mebibyte)}"}`, tooLarge],
  ['one byte too many', `{"a":"${'x'.repeat(mebibyte - 7)}"}`, tooLarge],
  ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), notUtf8],
  ['half a UTF-8 sequence', Buffer.from([0x22, 0xc3]), notUtf8],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), notUtf8],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), notJson],
  ['65 levels', `{"extra":${array(64)}}`, invalid(`/extra${'/0'.repeat(63)}`, /deeper than 64 levels$/)],
  ['a great many levels', array(100_000), invalid('/0'.repeat(64), /deeper than 64 levels$/)],
];

/** Members that no route takes, as they stand in the text. */
const unknownMembers: [string, string, RegExp][] = [
  ['/extra', '"extra":1', notAField],
  ['/constructor', '"constructor":{"prototype":{"a":1}}', notAField],
  ['/prototype', '"prototype":1', notAField],
  ['/hasOwnProperty', '"hasOwnProperty":1', notAField],
  ['/a~1b~0c', '"a/b~c":1', notAField],
  ['/', '"":1', notAField],
  ['/__proto__', '"__proto__":{"input":{}}', /^is not allowed as a key$/],
  ['/extra/0/__proto__', '"extra":[{"__proto__":1}]', /^is not allowed as a key$/],
  ['/extra', '"extra":9007199254740993', notAField],
  ['/extra', '"extra":-1e400', /^must lie within/],
  ['/extra/0', `"extra":[${'9'.repeat(1_025)}]`, /^must have at most 1024 digits$/],
  ['/\ud800', '"\\ud800":1', /^must be Unicode text/],
  ['/twice', '"twice":1,"twice":1', twice],
  ['/twice', '"twice":1,"tw\\u0069ce" : 1', twice],
  ['/extra/0/a~1b', '"extra":[{"a/b":":","a/b":":"}]', twice],
];

const otherTypes = [
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/jsonx',
  'json',
  ';;',
];

t.test('every route that reads a body refuses what it cannot read, and writes nothing', async (t) => {
  const fixtures = await openRequestFixtures(t);
  for (const route of await describedRoutes(fixtures.app)) {
    const { key, params, body, document } = operations[route.operationId] ?? {};
    if (!key || route.method === 'GET' || document) continue;
    const sent: Sent = { key, method: route.method, url: filled(fixtures, route.path, params) };
    const post = (name: string, text: Buffer | string, expected: Refused, headers = {}) =>
      refuses(t, fixtures, name, { ...sent, body: Buffer.from(text), headers }, expected);

    for (const [name, text, expected] of unreadable) await post(name, text, expected);
    const good = JSON.stringify(body ?? {});
    for (const [path, member, message] of unknownMembers) {
      const separator = good === '{}' ? '' : ',';
      await post(member, `${good.slice(0, -1)}${separator}${member}}`, invalid(path, message));
    }
    const needed = /^must be object: send a JSON object as the body$/;
    const noObject = invalid('', route.bodyOptional ? /^must be object or null$/ : needed);
    for (const text of ['[]', '"{}"', '12', 'true']) await post(text, text, noObject);
    if (!route.bodyOptional)
      for (const text of ['', 'null']) await post(`nothing: "${text}"`, text, noObject);
    for (const type of otherTypes) {
      const refused = { status: 415, code: 'invalid', message: /^send the body as application\/json$/ };
      await post(`content type ${type}`, good, refused, { 'content-type': type });
    }
    const encoded = { status: 415, code: 'invalid', message: /^send the body without Content-Encoding$/ };
    for (const encoding of ['gzip', 'identity', '']) {
      await post(`content encoding ${encoding}`, good, encoded, { 'content-encoding': encoding });
    }
    await wroteNothing(t, fixtures, route);
  }
});

t.test('an object with settings refuses unknown members inside', async (t) => {
  const fixtures = await openRequestFixtures(t);
  for (const operationId of ['createIntegration', 'changeIntegration']) {
    const route = (await describedRoutes(fixtures.app)).find((one) => one.operationId === operationId);
    const { key = 'operator', params, body } = operations[operationId] ?? {};
    if (!route) throw new Error(`there is no ${operationId}`);
    const sent: Sent = { key, method: route.method, url: filled(fixtures, route.path, params) };
    for (const name of ['extra', 'constructor', 'toString']) {
      const settings = { [name]: 1 };
      await refuses(
        t,
        fixtures,
        name,
        { ...sent, body: { ...body, settings } },
        invalid(`/settings/${name}`, notAField),
      );
    }
    const proto = Buffer.from('{"name":"n","kind":"AGENT","settings":{"__proto__":{}}}');
    await refuses(
      t,
      fixtures,
      '__proto__',
      { ...sent, body: proto },
      invalid('/settings/__proto__', /not allowed/),
    );
    await wroteNothing(t, fixtures, route);
  }
  const patch = {
    key: 'operator',
    method: 'PATCH',
    url: `/v1/integrations/${fixtures.ids.id}`,
    body: {},
  } as const;
  await refuses(t, fixtures, 'changes nothing', patch, invalid('', /^must name at least one field$/));
});

t.test('a policy document that cannot be read is refused, and writes nothing', async (t) => {
  const fixtures = await openRequestFixtures(t);
  const yaml = (expected: RegExp, path = '') => ({
    type: 'application/yaml',
    expected: invalid(path, expected),
  });
  const json = (expected: Refused) => ({ type: 'application/json', expected });
  const cases: [string, Buffer | string, { type?: string | undefined; expected: Refused }][] = [
    ['2 MB', 'x'.repeat(2 * mebibyte), { type: 'application/yaml', expected: tooLarge }],
    ['256 KB and one byte', 'x'.repeat(262_145), { type: 'application/yaml', expected: tooLarge }],
    ['no UTF-8', Buffer.from([0x61, 0xff]), { type: 'application/yaml', expected: notUtf8 }],
    ['no UTF-8', Buffer.from([0x61, 0xff]), json(notUtf8)],
    ['no JSON', '{', json(notJson)],
    ['a key whose text never ends', '"\\":', json(notJson)],
    ['nothing as JSON', '', json(notJson)],
    ['YAML as JSON', 'name: x', json(notJson)],
    ...[...otherTypes, 'application/yamlx'].map((type): (typeof cases)[number] => [
      `content type ${type}`,
      goodDocument,
      {
        type,
        expected: {
          status: 415,
          code: 'invalid',
          message: /^send the body as application\/json or application\/yaml$/,
        },
      },
    ]),
  ];
  const refusedOnSave: typeof cases = [
    ['nothing', '', yaml(/^line 1:1 the document is empty$/)],
    ['no map', '12', yaml(/expected a map/)],
    ['too deep', array(33), yaml(/nests deeper than 32 levels$/, '/0'.repeat(32))],
    ['a great many levels', array(100_000), yaml(/nests deeper than 32 levels$/)],
    ['an anchor', 'a: &a 1', yaml(/anchors are not supported$/, '/a')],
    ['a key twice', '{"a":1,"a":2}', yaml(/given twice$/, '/a')],
    ['a prototype key', '{"__proto__":1}', yaml(/this key is not allowed$/, '/__proto__')],
    ['a prototype key in JSON', '{"__proto__":1}', json(invalid('/__proto__', /this key is not allowed$/))],
    ['an infinite number', 'schemaVersion: .inf', yaml(/not one that JSON can carry/, '/schemaVersion')],
  ];
  for (const route of await describedRoutes(fixtures.app)) {
    const { key, params, document } = operations[route.operationId] ?? {};
    if (!key || !document) continue;
    const url = filled(fixtures, route.path, params);
    const applicable = route.operationId === 'checkPolicy' ? cases : [...cases, ...refusedOnSave];
    for (const [name, text, { type, expected }] of applicable) {
      const headers = { 'content-type': type } as Record<string, string>;
      await refuses(
        t,
        fixtures,
        name,
        { key, method: route.method, url, body: Buffer.from(text), headers },
        expected,
      );
    }
    await wroteNothing(t, fixtures, route);
  }
});
