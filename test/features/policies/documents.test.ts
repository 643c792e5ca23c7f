import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const yaml = 'application/yaml';
const json = 'application/json';
const send = (app: TestApp, path: string, document: string, type = yaml, method: 'POST' | 'PUT' = 'POST') =>
  app.call(adminKey, method, `/v1/policies${path}`, document, { 'content-type': type });
const total = async (app: TestApp) => (await app.call(adminKey, 'GET', '/v1/policies')).body.pagination.total;

t.test('a saved document has the warnings that a check gives', async (t) => {
  const app = await startApp(t);
  const document = rule('tool in []', 'WARN');
  const { warnings } = (await send(app, '/check', document)).body.data;
  t.match(warnings, [
    { code: 'never_matches', line: 7, message: /can never match: it looks for something in an empty list/ },
  ]);
  const made = await send(app, '', document);
  t.strictSame([made.status, made.body.data.warnings], [201, warnings]);
  const { id } = made.body.data;
  const changed = await send(app, `/${id}`, rule('input.?force.orValue(false) == true', 'WARN'), yaml, 'PUT');
  t.match(changed, { status: 200, body: { data: { version: 2, warnings: [{ code: 'untyped_boolean' }] } } });
  t.strictSame((await send(app, `/${id}`, rule('tool == "x"', 'WARN'), yaml, 'PUT')).body.data.warnings, []);
  t.notOk('warnings' in (await app.call(adminKey, 'GET', `/v1/policies/${id}`)).body.data);

  const careful = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const first = (await send(careful, '', rule('tool == "x"', 'WARN'))).body.data.id;
  t.match((await send(careful, `/${first}`, document, yaml, 'PUT')).body.data, {
    warnings: [{ code: 'never_matches' }],
  });
});

t.test('creates a DRAFT from YAML and from JSON, and answers the document as it was sent', async (t) => {
  const app = await startApp(t);
  const documents: [type: string, kept: string, document: string][] = [
    [
      yaml,
      yaml,
      '# why\nschemaVersion: 1\nname: a\ndescription: "Zürich ✓ \\u00e9"\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n',
    ],
    [
      'application/yaml; charset=utf-8',
      yaml,
      'schemaVersion: 1\r\nname: b\r\nrules:   [{ id: r, when: tool == "x", effect: WARN }]',
    ],
    [
      'application/x-yaml',
      yaml,
      'schemaVersion: 1\nname: c\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n',
    ],
    [
      'text/yaml',
      yaml,
      'schemaVersion: 1\nname: d\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n\n\n',
    ],
    ['text/x-yaml', yaml, 'schemaVersion: 1\nname: e\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n'],
    [json, json, '{"rules":[{"id":"r","when":"true","effect":"WARN"}],\n\t"name":"f",  "schemaVersion":1}'],
  ];
  for (const [type, mediaType, document] of documents) {
    const { status, body } = await send(app, '', document, type);
    t.equal(status, 201, type);
    const { id, name } = body.data;
    const { warnings } = (await send(app, '/check', document, type)).body.data;
    t.strictSame(body, {
      success: true,
      statusCode: 201,
      data: {
        id,
        name,
        status: 'DRAFT',
        version: 1,
        latestVersion: 1,
        scheduledVersion: null,
        scheduledAt: null,
        revision: 1,
        createdAt: '2030-01-01T00:00:00.000Z',
        updatedAt: '2030-01-01T00:00:00.000Z',
        mediaType,
        document,
        warnings,
      },
    });
    t.equal((await app.call(adminKey, 'GET', `/v1/policies/${id}`)).body.data.document, document);
  }
});

t.test('?activate=true makes it ACTIVE at once, and nothing else does', async (t) => {
  const app = await startApp(t);
  for (const [query, status] of [
    ['?activate=true', 'ACTIVE'],
    ['?activate=false', 'DRAFT'],
    ['', 'DRAFT'],
  ] as const) {
    t.equal((await send(app, query, rule('true', 'WARN'))).body.data.status, status, query);
  }
  for (const query of ['?activate=yes', '?active=true']) {
    t.equal((await send(app, query, rule('true', 'WARN'))).status, 400, query);
  }
  t.equal(await total(app), 3);
});

const wrong = `schemaVersion: 1
name: wrong
mode: MONITR
rules:
  - id: a
    when: session.warningCuont > 1
    effect: WARN
  - id: b
    when: tol == "x"
    effect: STOP
`;

t.test('a refused document has one entry of errors per issue, each with its place', async (t) => {
  const app = await startApp(t);
  const { id } = (await send(app, '', rule('true', 'WARN'))).body.data;
  for (const [path, method] of [
    ['', 'POST'],
    ['?activate=true', 'POST'],
    [`/${id}`, 'PUT'],
  ] as const) {
    const { status, body } = await send(app, path, wrong, yaml, method);
    t.equal(status, 400);
    t.equal(body.success, false);
    t.match(body.errors, [
      { code: 'invalid', path: '/mode', line: 3, column: 7, message: /^line 3:7 / },
      { code: 'invalid', path: '/rules/0/when', line: 6, column: 19, hint: 'did you mean "warningCount"?' },
      { code: 'invalid', path: '/rules/1/when', line: 9, column: 11, hint: 'did you mean "tool"?' },
      { code: 'invalid', path: '/rules/1/effect', line: 10, column: 13 },
    ]);
    t.equal(body.errors.length, 4);
  }
  t.equal(await total(app), 1, 'nothing was created');
  t.equal((await app.call(adminKey, 'GET', `/v1/policies/${id}`)).body.data.version, 1, 'nor added');
});

t.test(
  'the check says the same issues, with codes, warnings and test results, and keeps nothing',
  async (t) => {
    const app = await startApp(t);
    const refused = (await send(app, '', wrong)).body.errors;
    const checked = await send(app, '/check', wrong);
    t.equal(checked.status, 200);
    const { valid, issues, tests } = checked.body.data;
    t.equal(valid, false);
    t.strictSame(tests, []);
    t.strictSame(
      issues.map(({ line, column, path, message, hint }: Record<string, unknown>) => ({
        code: 'invalid',
        message: `line ${line}:${column} ${message}`,
        path,
        line,
        column,
        ...(hint !== undefined && { hint }),
      })),
      refused,
    );
    t.ok(issues.every((issue: { code: string }) => /^[a-z_]+$/.test(issue.code)));
    t.equal(await total(app), 0);
  },
);

const tested = (expected: string) => `${rule('tool == "x"', 'BLOCK')}
tests:
  - name: stops x
    given: { input: { tool: x } }
    expect: { enforcementAction: ${expected} }
`;

t.test('the tests in a document run in the check, and a failing one refuses the document', async (t) => {
  const app = await startApp(t);
  const good = (await send(app, '/check', tested('BLOCK'))).body.data;
  t.match(good, { valid: true, issues: [], tests: [{ name: 'stops x', passed: true }] });
  const bad = (await send(app, '/check', tested('ALLOW'))).body.data;
  t.match(bad, { valid: false, tests: [{ name: 'stops x', passed: false, message: /BLOCK/ }] });
  const refused = await send(app, '', tested('ALLOW'));
  t.equal(refused.status, 400);
  t.match(refused.body.errors, [{ path: /^\/tests\/0/, line: 12 }]);
  t.equal((await send(app, '', tested('BLOCK'))).status, 201);
  t.equal(await total(app), 1);
});

t.test('a condition that is always true is warned of, and does not stop the document', async (t) => {
  const app = await startApp(t);
  const { body } = await send(app, '/check', rule('1 == 1', 'WARN'));
  t.equal(body.data.valid, true);
  t.match(body.data.warnings, [{ path: '/rules/0/when', line: 7 }]);
});

t.test('custom detectors are checked and really detect', async (t) => {
  const app = await startApp(t);
  const document = (pattern: string) => `schemaVersion: 1
name: staff
detectors: [{ tag: STAFF_NUMBER, category: STAFF, pattern: '${pattern}' }]
rules: [{ id: r, when: '"STAFF_NUMBER" in dataTags', effect: BLOCK }]
`;
  const broken = await send(app, '', document('S-(['));
  t.equal(broken.status, 400);
  t.match(broken.body.errors, [{ path: '/detectors/0/pattern', line: 3 }]);
  const { id, key } = await app.integration();
  await app.policy(id, document('S-[0-9]{6}'));
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { note: 'of S-123456' } });
  t.match(body.data, { enforcementAction: 'BLOCK', dataTags: ['STAFF', 'STAFF_NUMBER'] });
});

t.test('what is no document is refused as such', async (t) => {
  const app = await startApp(t);
  const cases: [document: string, type: string, status: number][] = [
    ['', yaml, 400],
    ['   \n', yaml, 400],
    ['[', yaml, 400],
    ['just words', yaml, 400],
    ['', json, 400],
    ['{', json, 400],
    ['schemaVersion: 1\nname: a\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n', json, 400],
    ['null', json, 400],
    ['schemaVersion: 1', 'text/plain', 415],
    ['schemaVersion: 1', 'application/xml', 415],
    [`# ${'x'.repeat(262_144)}`, yaml, 413],
  ];
  const { id } = (await send(app, '', rule('true', 'WARN'))).body.data;
  for (const [document, type, expected] of cases) {
    for (const [path, method] of [
      ['', 'POST'],
      ['/check', 'POST'],
      [`/${id}`, 'PUT'],
    ] as const) {
      const { status, body } = await send(app, path, document, type, method);
      const checks = path === '/check' && expected === 400 && !(type === json && document !== 'null');
      t.equal(status, checks ? 200 : expected, `${path} ${type} ${document.slice(0, 20)}`);
      if (checks) t.equal(body.data.valid, false);
    }
  }
  const nothing = await app.call(adminKey, 'POST', '/v1/policies');
  t.equal(nothing.status, 400);
  t.equal(await total(app), 1);
});

t.test('an update is the next version, with its own name, and keeps the status', async (t) => {
  const app = await startApp(t);
  const { id } = (await send(app, '?activate=true', rule('true', 'WARN'))).body.data;
  app.clock.advance(5);
  const document = 'schemaVersion: 1\nname: renamed\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n';
  const { status, body } = await send(app, `/${id.toUpperCase()}`, document, yaml, 'PUT');
  t.equal(status, 200);
  t.strictSame(body.data, {
    id,
    name: 'renamed',
    status: 'ACTIVE',
    version: 2,
    latestVersion: 2,
    scheduledVersion: null,
    scheduledAt: null,
    revision: 2,
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.005Z',
    mediaType: yaml,
    document,
    warnings: [],
  });
});

t.test('parallel updates get versions of their own', async (t) => {
  const app = await startApp(t);
  const { id } = (await send(app, '', rule('true', 'WARN'))).body.data;
  const responses = await Promise.all(
    ['b', 'c', 'd'].map((name) =>
      send(
        app,
        `/${id}`,
        `schemaVersion: 1\nname: ${name}\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n`,
        yaml,
        'PUT',
      ),
    ),
  );
  t.strictSame(responses.map(({ body }) => body.data.version).sort(), [2, 3, 4]);
  t.strictSame(
    responses.map(({ body }) => body.data.name),
    ['b', 'c', 'd'],
    'and each answer shows its own document',
  );
});

t.test('steps are replayed beside the stored policies that they name, the ACTIVE one first', async (t) => {
  const app = await startApp(t);
  const named = (name: string, effect: string, more = '') =>
    `schemaVersion: 1\nname: ${name}\nrules: [{ id: r, when: tool == "x", effect: ${effect} }]\n${more}`;
  const tests =
    'tests: [{ name: s, with: [other], steps: [{ tool: x, expect: { enforcementAction: BLOCK } }] }]\n';
  const document = named('p', 'WARN', tests);
  const check = async () => (await send(app, '/check', document)).body.data.tests[0].message;
  t.equal(await check(), 'there is no policy "other"');
  t.match((await send(app, '', document)).body, {
    statusCode: 400,
    errors: [{ path: '/tests/0/with/0', message: /there is no policy "other"/ }],
  });
  await send(app, '', named('other', 'BLOCK'));
  t.equal(await check(), undefined, 'a DRAFT will do');
  await send(app, '?activate=true', named('other', 'ALLOW'));
  t.match(await check(), 'step 1, x: expected enforcementAction BLOCK, found WARN; by r, other/r; ');
  for (let n = 0; n < 200; n++) await send(app, '?activate=true', named(`further-${n}`, 'ALLOW'));
  t.match(await check(), 'found WARN', 'it is on the second page of the list');
});
