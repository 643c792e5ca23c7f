import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

const document = (effect: string) =>
  `schemaVersion: 1\nname: limits\nparams: { most: 5, currency: "" }\nrules:\n  - { id: r, when: 'input.n > params.most && params.currency == "EUR"', effect: ${effect} }\n`;

t.test('versions are compared, rolled back and scheduled, and bindings get params', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id: integrationId, key } = await app.integration();
  const id = await app.policy(integrationId, document('WARN'));
  await app.call(adminKey, 'PUT', `/v1/policies/${id}`, document('BLOCK'), {
    'content-type': 'application/yaml',
  });
  t.match(await assize('policies', 'diff', 'limits', '1', '2', '--json'), {
    code: 1,
    data: { from: 1, to: 2, changes: [{ part: 'RULE', name: 'r', before: { effect: 'WARN' } }] },
  });
  const text = await assize('policies', 'diff', 'limits', '1');
  t.match(text.data, /^- .*WARN/m, 'compared with the current version');
  t.match(text.data, /^rule r: changed$/m);
  t.match(await assize('policies', 'diff', 'limits', '2', '2'), { code: 0, data: '' });
  t.match(await assize('policies', 'diff', 'limits', 'one', '2'), { code: 2, err: /whole number/ });
  t.match(await assize('policies', 'diff', 'limits', '1', '9'), { code: 1, err: /no policy version 9/ });
  const file = join(t.testdir({}), 'limits.yaml');
  writeFileSync(file, document('BLOCK'));
  t.match(await assize('policies', 'diff', file, '--json'), { code: 0, data: { same: true } });
  t.match(await assize('policies', 'diff', 'limits', '1', '--policy', id), { code: 2, err: /--policy/ });

  t.match(await assize('policies', 'rollback', 'limits', '--json'), { code: 0, data: { version: 1 } });
  t.match(await assize('policies', 'rollback', 'limits', '2'), { code: 1, err: /not earlier/ });
  const pushed = await assize('policies', 'push', file, '--json');
  t.match(pushed, { code: 0, data: { version: 1, latestVersion: 2 } }, 'what was rolled back stays so');
  t.match((await assize('policies', 'push', file, '--activate', '--json')).data, {
    version: 2,
    latestVersion: 2,
  });
  await assize('policies', 'rollback', 'limits');
  const scheduled = ['policies', 'schedule', 'limits', '2', '--at', '2099-01-01T00:00:00Z', '--json'];
  t.match(await assize(...scheduled), { data: { version: 1, scheduledVersion: 2 } });
  t.match(await assize('policies', 'schedule', 'limits', '--cancel', '--json'), {
    data: { scheduledVersion: null },
  });
  for (const wrong of [[], ['--at', '2099-01-01T00:00:00Z', '--cancel'], ['2', '--cancel']]) {
    t.equal((await assize('policies', 'schedule', 'limits', ...wrong)).code, 2);
  }

  const bind = (...terms: string[]) =>
    assize('integrations', 'bind', integrationId, 'limits', '--json', ...terms);
  t.match(await bind('--param', 'most=1', 'currency=EUR'), {
    data: { params: { most: 1, currency: 'EUR' }, mode: null },
  });
  t.match(await bind(), { data: { params: { most: 1 } } }, 'stays');
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { n: 2 } });
  t.equal(body.data.enforcementAction, 'WARN');
  t.match(await bind('--mode', 'monitor'), { data: { params: {}, mode: 'MONITOR' } });
  t.match(await bind('--param', 'most=9007199254740993'), { out: /"most": 9007199254740993/ }, 'every digit');
  t.match(await bind('--param', 'most'), { code: 2, err: /name=value/ });
  t.match(await bind('--param', 'most=x'), { code: 1, err: /most/ });
});

t.test('under four-eyes control, pushing again adds no second version, and says what decides', async (t) => {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const file = join(t.testdir({ 'limits.yaml': document('WARN') }), 'limits.yaml');
  const by = (key: string, ...args: string[]) =>
    run(['policies', ...args, '--json', '--url', url, '--key', key]);
  const { id } = (await app.call(adminKey, 'POST', '/v1/operators', { name: 'Ed', roles: ['POLICY_EDITOR'] }))
    .body.data;
  const { key } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: id })).body.data;
  await by(adminKey, 'push', file);
  await by(key, 'activate', 'limits');
  writeFileSync(file, document('BLOCK'));
  for (const _ of [1, 2]) {
    const { code, out } = await by(adminKey, 'push', file);
    t.match({ code, data: JSON.parse(out) }, { code: 0, data: { version: 1, latestVersion: 2 } });
  }
  t.match(await by(adminKey, 'push', file, '--activate'), { code: 3, err: /four-eyes control/ });
  t.match(JSON.parse((await by(key, 'push', file, '--activate')).out), { version: 2 });
});
