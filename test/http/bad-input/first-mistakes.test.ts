import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { loadConfig } from '../../../src/config/config.ts';
import { checkPolicyDocument } from '../../../src/policy/document/check-policy-document.ts';
import { adminKey, startApp } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';

// Mistakes that people make in their first hour, and what each is told to do instead.

const rule = (text: string) => `schemaVersion: 1\nname: x\nrules:\n  - { id: a, ${text} }\n`;

t.test('a request says what would be right', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const yaml = rule('when: 1 == 1, effect: BLOCK');
  const json = { 'content-type': 'application/json' };
  const asYaml = { 'content-type': 'application/yaml' };
  const cases: [string, unknown, string | null, RegExp, Record<string, string>?][] = [
    [
      '/v1/evaluate',
      { input: {}, sesionId: 'x' },
      key,
      /^is not a field of this request; did you mean "sessionId"\?$/,
    ],
    ['/v1/evaluate', '', key, /^must be object: send a JSON object as the body$/, json],
    ['/v1/evaluate', {}, null, /send the header Authorization: Bearer asz_live_…/],
    ['/v1/policies', yaml, adminKey, /; it looks like YAML: send Content-Type: application\/yaml$/, json],
    ['/v1/policies', yaml.replaceAll('\n', ''), adminKey, /./, asYaml],
    ['/health', undefined, null, /health at \/health\/live and \/health\/ready$/],
  ];
  for (const [path, body, by, message, headers] of cases) {
    const method = body === undefined ? 'GET' : 'POST';
    const { status, body: answered } = await app.call(by, method, path, body, headers);
    t.ok(status >= 400 && status < 500, `${path}: ${status}`);
    t.match(answered.errors[0].message, message);
  }
  const joined = await app.call(adminKey, 'POST', '/v1/policies', yaml.replaceAll('\n', ''), asYaml);
  t.match(joined.body.errors[0].hint, /--data-binary in place of -d$/);
  const typed = await app.call(adminKey, 'POST', '/v1/policies', '{"schemaVersion":1,}', json);
  t.notMatch(typed.body.errors[0].message, /YAML/, 'JSON with a mistake is no YAML');
});

t.test('a policy says what would be right', async (t) => {
  const hintOf = (text: string) => checkPolicyDocument(text, { runTests: false }).issues[0]?.hint;
  t.match(
    hintOf(rule('when: tool == shell, effect: BLOCK')),
    /^put texts in quotes: "shell"; available here: /,
  );
  for (const [effect, meant] of [
    ['DENY', 'BLOCK'],
    ['deny', 'BLOCK'],
    ['PERMIT', 'ALLOW'],
    ['REVIEW', 'APPROVAL_REQUIRED'],
    ['BLOK', 'BLOCK'],
  ])
    t.equal(hintOf(rule(`when: 1 == 1, effect: ${effect}`)), `did you mean "${meant}"?`, `${effect}`);
  t.equal(
    hintOf(rule('when: 1 == 1, effect: WARN').replace('schemaVersion: 1', 'schemaVersion: 2')),
    undefined,
  );
  t.match(hintOf(rule("when: 'true & true', effect: WARN")), /^for "and", write &&$/);
});

t.test('a setting and an address say what would be right', async (t) => {
  t.throws(() => loadConfig({ ASSIZE_PROT: '3000' }), {
    message: 'ASSIZE_PROT: there is no such setting; did you mean "ASSIZE_PORT"?',
  });
  t.throws(() => loadConfig({ ASSIZE_NONSENSE_OF_MINE: '1' }), {
    message: 'ASSIZE_NONSENSE_OF_MINE: there is no such setting',
  });
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, err } = await run([
    'policies',
    'list',
    '--url',
    `https://127.0.0.1:${port}`,
    '--key',
    adminKey,
  ]);
  t.equal(code, 3);
  t.match(err, /: it speaks http, not https: change ASSIZE_URL or --url\n$/);
});

t.test('PostgreSQL that is away is named', async (t) => {
  const { openMaintenance, openStore } = await import('../../../src/store/open.ts');
  const database = 'postgres://assize:secret@127.0.0.1:1/assize';
  const options = { migrations: 'migrations' };
  const failures = await Promise.allSettled([
    openStore(database, options),
    openMaintenance(database, options).then(({ assertCurrent }) => assertCurrent()),
  ]);
  for (const failed of failures) {
    t.equal(failed.status, 'rejected');
    const said = failed.status === 'rejected' ? failed.reason.message : '';
    t.match(said, /^the PostgreSQL database cannot be reached: .*ECONNREFUSED.*: check ASSIZE_DATABASE/);
    t.notMatch(said, /secret/);
  }
});
