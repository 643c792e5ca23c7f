import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { lookAtDisk, lookAtPort } from '../../src/cli/doctor.ts';
import { createPolicyModes } from '../../src/features/integrations/protection.ts';
import { openMaintenance } from '../../src/store/open.ts';
import {
  adminKey,
  allMigrations,
  createClock,
  sqliteOnly,
  startApp,
  type TestApp,
  temporaryFolder,
} from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';
import { processEnvironment, program } from '../helpers/process.ts';

const start = Date.now();

/** A copy of a database with an integration, its policy and an evaluation in it, that nobody serves. */
async function database(t: Test, prepare?: (app: TestApp, id: string) => Promise<unknown>): Promise<string> {
  const app = await startApp(t, {}, { clock: createClock(start) });
  const { id, key } = await app.integration();
  await app.policy(id, rule('false', 'BLOCK'));
  await prepare?.(app, id);
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const file = join(temporaryFolder(t), 'assize.db');
  t.equal((await run(['backup', file, '--database', app.database])).code, 0);
  return file;
}
const examine = async (file: string, now: number, hasSecretsKey = false) =>
  (await openMaintenance(file, { migrations: allMigrations })).examine({
    now,
    modeOf: createPolicyModes().of,
    hasSecretsKey,
  });
const change = (file: string, sql: string) => {
  const client = new Database(file);
  client.exec(sql);
  client.close();
};
const troubles = (findings: { check: string; status: string }[]) =>
  findings.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${check}: ${status}`);

t.test(
  'an installation in order has nothing to be done, and exits 0',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const file = await database(t);
    t.strictSame(troubles([...(await examine(file, start)), ...lookAtDisk(file)]), []);
    const ran = await run(['doctor', '--database', file, '--json']);
    const findings = JSON.parse(ran.out);
    t.ok(findings.every((finding: object) => Object.keys(finding).join() === 'check,status,message,fix'));
    t.equal(ran.code, findings.some(({ status }: { status: string }) => status === 'fail') ? 1 : 0);
  },
);

t.test(
  'a file of first keys that was left beside the database is told, until it is deleted',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const file = await database(t);
    const keys = `${file}-first-keys.txt`;
    const told = async () => {
      const ran = await run(['doctor', '--database', file, '--json']);
      return JSON.parse(ran.out).filter(({ check }: { check: string }) => check === 'first keys');
    };
    writeFileSync(keys, 'asz_admin_', { mode: 0o600 });
    t.match(await told(), [
      { status: 'warn', message: `${keys} holds keys in plain text`, fix: /delete it/ },
    ]);
    rmSync(keys);
    t.strictSame(await told(), []);
  },
);

t.test(
  'each fault of the database is found, and says what to do',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const cases: [string, (file: string) => void, string[]][] = [
      [
        'newer schema',
        (file) =>
          change(file, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)"),
        ['schema: fail'],
      ],
      [
        'older schema',
        (file) => change(file, 'UPDATE __drizzle_migrations SET created_at = 1'),
        ['schema: warn'],
      ],
      ['not ours', (file) => change(file, 'DROP TABLE __drizzle_migrations'), ['schema: fail']],
      [
        'no operator key',
        (file) => change(file, 'UPDATE operator_keys SET revoked_at = 1'),
        ['operator key: warn'],
      ],
      [
        'long log',
        (file) => {
          writeFileSync(`${file}-wal`, '');
          truncateSync(`${file}-wal`, 300 * 1_048_576);
        },
        ['log: warn'],
      ],
      ['no database', (file) => writeFileSync(file, 'words '.repeat(1_000)), ['database: fail']],
      [
        'damage',
        (file) => {
          const bytes = readFileSync(file);
          bytes.fill(0x5a, 4_096 * 3, 4_096 * 6);
          writeFileSync(file, bytes);
        },
        [],
      ],
    ];
    for (const [name, plant, expected] of cases) {
      const file = await database(t);
      plant(file);
      const findings = (await examine(file, start)).filter(({ status }) => status !== 'ok');
      if (expected.length > 0) t.strictSame(troubles(findings), expected, name);
      else
        t.ok(
          findings.some(({ status, fix }) => status === 'fail' && /restore/.test(fix ?? '')),
          name,
        );
      t.ok(
        findings.every(({ fix }) => fix),
        'what to do',
      );
      const fails = findings.some(({ status }) => status === 'fail');
      if (fails) t.equal((await run(['doctor', '--database', file])).code, 1);
    }
  },
);

t.test(
  'a clock that is behind what was recorded is found',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const file = await database(t);
    t.strictSame(troubles(await examine(file, start - 59_000)), []);
    t.strictSame(troubles(await examine(file, start - 3_600_000)), ['clock: fail']);
    change(file, 'UPDATE clock SET retention_held_at = 1');
    t.strictSame(troubles(await examine(file, start)), ['retention: warn'], 'and retention that waits');
  },
);

t.test(
  'integrations for which no policy is enforced are named, with what decides for them',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const policies = async (...prepare: ((app: TestApp, id: string) => Promise<unknown>)[]) => {
      const file = await database(t, async (app, id) => {
        for (const step of prepare) await step(app, id);
      });
      return (await examine(file, start)).filter(({ check }) => check === 'policies');
    };
    t.match(await policies(), [{ status: 'ok' }]);
    const monitored = (app: TestApp) =>
      app
        .integration('AGENT', { whenNoPolicy: 'BLOCK' })
        .then(({ id }) => app.policy(id, rule('false', 'BLOCK').replace('rules:', 'mode: MONITOR\nrules:')));
    t.match(await policies(monitored), [
      { status: 'warn', message: 'none is enforced for test AGENT (everything is blocked)', fix: /bind/ },
    ]);
    const many = async (app: TestApp) => {
      for (let count = 0; count < 7; count++) await app.integration('REST_API');
    };
    t.match(await policies(many), [
      {
        status: 'warn',
        message: /^none is enforced for (test REST_API \(everything is allowed\)(, )?){5} and 2 more$/,
      },
    ]);
    const house = async (app: TestApp) => {
      const [policy] = (await app.call(adminKey, 'GET', '/v1/policies')).body.data;
      await app.call(adminKey, 'PUT', `/v1/house-policies/${policy.id}`);
    };
    t.match(await policies(many, house), [{ status: 'ok' }]);
  },
);

t.test(
  'secrets of webhooks that no key encrypts are found, and a key that is missing',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const file = await database(t, (app) =>
      app.call(adminKey, 'POST', '/v1/webhooks', { name: 'w', format: 'EVENTS', url: 'https://x.example/' }),
    );
    const secrets = async (hasKey: boolean) =>
      (await examine(file, start, hasKey)).filter(({ check }) => check === 'secrets');
    t.match(await secrets(false), [{ status: 'warn', message: /plain text/, fix: /ASSIZE_SECRETS_KEY/ }]);
    t.match(await secrets(true), [{ status: 'ok' }]);
    change(file, "UPDATE webhooks SET destination = 'sealed:x:y'");
    t.match(await secrets(false), [{ status: 'fail', message: /no key is set/ }]);
  },
);

t.test(
  'files that others can read, and folders that cannot be used, are found',
  sqliteOnly('of PostgreSQL, test/store/postgres/maintenance.test.ts'),
  async (t) => {
    const file = await database(t);
    chmodSync(file, 0o644);
    t.match(lookAtDisk(file), [{}, {}, { check: 'permissions', status: 'warn', fix: `chmod 600 ${file}` }]);
    const folder = temporaryFolder(t);
    t.strictSame(troubles(lookAtDisk(join(folder, 'none', 'x.db'))), ['folder: warn']);
    writeFileSync(join(folder, 'file'), '');
    t.match(lookAtDisk(join(folder, 'file', 'x.db'))[0], { check: 'folder', status: 'fail' });
  },
);

t.test(
  'the port is told apart: free, ours, ours and unwell, of another program, of another machine',
  async (t) => {
    const listen = async (served: { status: number; body: object } | null) => {
      const server = createServer((_request, response) => {
        if (served) response.writeHead(served.status).end(JSON.stringify(served.body));
        else response.end('<html>');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.teardown(() => server.close());
      return (server.address() as AddressInfo).port;
    };
    const app = await startApp(t);
    const url = new URL(await app.http.listen({ port: 0, host: '127.0.0.1' }));
    t.match(await lookAtPort('127.0.0.1', Number(url.port)), {
      status: 'ok',
      message: /runs at.* and is ready/,
    });
    const unwell = await listen({ status: 503, body: { success: false } });
    t.match(await lookAtPort('127.0.0.1', unwell), { status: 'fail', message: /cannot record/ });
    const other = await listen(null);
    t.match(await lookAtPort('127.0.0.1', other), { status: 'fail', message: /another program/ });
    t.match(await lookAtPort('192.0.2.1', 3_999), { status: 'fail', message: /cannot be listened on/ });
    t.match(await lookAtPort('127.0.0.1', 0), { status: 'ok' });
    await app.http.close();
    t.match(await lookAtPort('127.0.0.1', Number(url.port)), { status: 'ok', message: /is free/ });
  },
);

t.test('settings that cannot be used are told one by one, those of the file too', async (t) => {
  const folder = temporaryFolder(t);
  const doctor = (env: Record<string, string>) => {
    const { status, stdout } = spawnSync('node', [program, 'doctor', '--json'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...processEnvironment, ...env },
    });
    return { status, findings: JSON.parse(stdout) };
  };
  const wrong = doctor({
    ASSIZE_PORT: 'many',
    ASSIZE_LOG_LEVEL: 'loud',
    ASSIZE_URL: 'http://x',
    ASSIZE_KEY: 'k',
  });
  t.equal(wrong.status, 1);
  t.match(wrong.findings, [
    { check: 'settings', status: 'fail', message: /^ASSIZE_(PORT|LOG)/ },
    { check: 'settings', status: 'fail', message: /^ASSIZE_(PORT|LOG)/ },
  ]);
  writeFileSync(join(folder, 'assize.env'), 'ASSIZE_PORT=0\nASSIZE_URL=http://elsewhere.example\n');
  t.match(doctor({}).findings, [{ message: 'assize.env: ASSIZE_URL: there is no such setting' }]);
  writeFileSync(join(folder, 'assize.env'), 'ASSIZE_PORT=0\nASSIZE_DATABASE=./here/x.db\n');
  mkdirSync(join(folder, 'here'));
  t.match(doctor({}).findings.at(-2), { message: 'there is no ./here/x.db' });
  t.match(doctor({ ASSIZE_DATABASE: './there.db' }).findings.at(-2), { message: 'there is no ./there.db' });
});
