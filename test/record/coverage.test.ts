import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t, { type Test } from 'tap';
import { createVerifier as createConsoleVerifier } from '../../src/console/data/record/verify.ts';
import { isPostgres } from '../../src/store/address.ts';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { type Beside, openBeside } from '../helpers/database-beside.ts';
import { exportRecord, verify } from '../helpers/record.ts';
import { columns, covered, derived, notCovered } from './coverage.ts';

// takes long: begins first

const file = join(import.meta.dirname, '../../clients/verifier/verify-record.mjs');
const { createVerification } = await import(pathToFileURL(file).href);
const dayMs = 86_400_000;

t.test('every column of both databases is covered, derived, or listed with why it is neither', async (t) => {
  const all = [...covered, ...derived, ...notCovered];
  t.strictSame(
    columns.filter((column) => !all.includes(column)),
    [],
    'columns that docs/record-coverage.md does not list',
  );
  t.strictSame(
    all.filter((column) => !columns.includes(column)),
    [],
    'listed columns that do not exist',
  );
  t.strictSame(
    all.filter((column, place) => all.indexOf(column) !== place),
    [],
    'listed twice',
  );
});

const held = `
schemaVersion: 1
name: held
params:
  limit: { type: number, default: 5 }
rules:
  - id: held
    when: tool == "mail" && input.to in lists.known && input.amount > params.limit
    effect: APPROVAL_REQUIRED
    severity: HIGH
    message: 'mail to {{input.to}}'
    approval: { grant: { same: [tool, input.to], uses: 5 } }
  - id: repeated
    when: tool == "read" && session.repeats >= 0
    effect: WARN
    severity: LOW
    label: [SEEN]
`;
const house = `
schemaVersion: 1
name: house
params:
  most: { type: number, default: 9 }
rules:
  - id: most
    when: tool == "never" && input.n > params.most
    effect: BLOCK
`;

/** Values in every column that the record covers. Answers the id of a session. */
async function history(app: TestApp): Promise<string> {
  const manage = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
    const yaml = typeof body === 'string' ? { 'content-type': 'application/yaml' } : {};
    const { status, body: response, text } = await app.call(adminKey, method, url, body, yaml);
    if (status >= 300) throw new Error(`${method} ${url}: ${text}`);
    return response?.data;
  };
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const issuer = { issuer: 'https://id.example', audiences: ['assize'] };
  const identity = {
    required: false,
    issuers: [{ ...issuer, jwks: { keys: [await exportJWK(publicKey)] } }],
  };
  await manage('PATCH', `/v1/integrations/${id}`, { description: 'one', settings: { identity } });
  const signed = () =>
    new SignJWT({ iss: issuer.issuer, aud: 'assize', sub: 'ada', exp: app.clock.now() / 1_000 + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
  const list = await manage('POST', '/v1/lists', {
    name: 'known',
    kind: 'OTHER',
    description: 'd',
    entries: ['ann'],
  });
  await manage('PATCH', `/v1/lists/${list.id}`, { add: ['bob'], remove: ['ann'] });
  const policy = await manage('POST', '/v1/policies?activate=true', held);
  await manage('PUT', `/v1/integrations/${id}/policies/${policy.id}`, {
    params: { limit: 1 },
    mode: 'ENFORCE',
  });
  await manage('PUT', `/v1/integrations/${id}/tools`, { tools: [{ name: 'mail', effect: 'EXTERNAL' }] });
  const ofHouse = await manage('POST', '/v1/policies?activate=true', house);
  await manage('PUT', `/v1/house-policies/${ofHouse.id}`, { params: { most: 2 }, mode: 'ENFORCE' });
  await manage('PUT', `/v1/policies/${policy.id}`, held.replace('severity: LOW', 'severity: MEDIUM'));
  const at = new Date(app.clock.now() + 100 * dayMs).toISOString();
  await manage('POST', `/v1/policies/${policy.id}/schedule`, { version: 2, at });
  const gone = await manage('POST', '/v1/policies?activate=true', house.replace('name: house', 'name: gone'));
  await manage('PUT', `/v1/integrations/${id}/policies/${gone.id}`);
  await manage('DELETE', `/v1/policies/${gone.id}`);
  const other = await manage('POST', '/v1/integrations', { name: 'deleted', kind: 'AGENT' });
  await manage('DELETE', `/v1/integrations/${other.id}`);
  await app.call(adminKey, 'POST', '/v1/policies', 'nothing', { 'content-type': 'application/yaml' });

  const opened = await app.call(key, 'POST', '/v1/evaluation-sessions', {
    entityId: '11111111-1111-4111-8111-111111111111',
    metadata: { of: 'one' },
    expiresAt: new Date(app.clock.now() + 20 * dayMs).toISOString(),
  });
  const sessionId: string = opened.body.data.id;
  const evaluate = async (input: object, more: object = {}, headers: Record<string, string> = {}) => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const request = { input, sessionId, correlationId: 'c-1', targetKey: 'key-1', ...more };
    const { status, body, text } = await app.call(key, 'POST', '/v1/evaluate', request, {
      traceparent,
      ...headers,
    });
    if (status !== 200) throw new Error(text);
    app.clock.advance(1);
    return body.data;
  };
  const mail = { tool: 'mail', to: 'bob', amount: 7, from: 'ada@example.com' };
  for (const round of [1, 2]) {
    const more = { targetMetadata: { round }, cost: { usd: 1 } };
    const review = await evaluate({ ...mail, round }, more);
    await manage('POST', `/v1/reviews/${review.reviewRequestId}/approve`, { comment: 'yes' });
    const { reviewRequestId } = review;
    await evaluate({ ...mail, round }, { ...more, reviewRequestId });
    await evaluate({ ...mail, round: round + 10 }, more);
    const read = await evaluate({ tool: 'read', round }, more);
    await evaluate({ rows: 1 }, { phase: 'RESULT', resultOf: read.evaluationRunId, status: 'OK' });
    await evaluate(
      { tool: 'read', round },
      { sessionId: undefined },
      { 'x-assize-identity': await signed() },
    );
    await app.services.record.roots.sweep();
    // Of the first round, content is deleted.
    for (let step = 0; round === 1 && step < 4; step++) {
      app.clock.advance(dayMs / 4);
      await app.call(adminKey, 'GET', '/v1/integrations');
    }
    if (round === 1) app.clock.advance(dayMs / 4);
    await app.services.retention.sweep();
  }
  await app.services.record.roots.sweep();
  return sessionId;
}

type Row = Record<string, unknown>;

/** Another value of the same form. */
function falsified(value: unknown): unknown {
  // No other row has it.
  if (typeof value !== 'string' || /^\d+$/.test(value)) return Number(value) + 1_000;
  if (/^[{[]/.test(value)) {
    const json = JSON.parse(value);
    if (!Array.isArray(json)) {
      const [name = '', first] = Object.entries(json)[0] ?? [];
      return JSON.stringify({ ...json, [name]: typeof first === 'string' ? `${first}!` : 'falsified' });
    }
    const [first] = json;
    return JSON.stringify([...json, typeof first === 'object' ? { ...first, falsified: 1 } : 'falsified']);
  }
  const last = value.slice(-1);
  return `${value.slice(0, -1)}${last === 'a' ? 'b' : 'a'}`;
}

async function verifiersOf(lines: readonly string[]): Promise<Record<string, boolean>> {
  const alone = createVerification();
  for (const line of lines) alone.line(line);
  const ofConsole = createConsoleVerifier();
  for (const line of lines) await ofConsole.line(line);
  return {
    'assize audit verify': verify(lines).problems.length === 0,
    'verify-record.mjs': alone.end().problems.length === 0,
    'the console': ofConsole.end().problems.length === 0,
  };
}

/** Lets anything be written, as who administers the database can. */
async function unguard(beside: Beside, isPostgres: boolean): Promise<void> {
  if (isPostgres) return beside.exec("SET session_replication_role = 'replica'");
  const triggers = await beside.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'");
  for (const { name } of triggers) await beside.exec(`DROP TRIGGER "${name}"`);
  await beside.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
}

t.test(
  'all verifiers find a change of any covered column in the database',
  { timeout: 300_000 },
  async (t) => {
    const app = await startApp(t, { ASSIZE_RETENTION_DAYS: '1' });
    const sessionId = await history(app);
    const beside = await openBeside(t, app.database);
    const onPostgres = isPostgres(app.database);
    const whole = await exportRecord(app);
    for (const [name, isWhole] of Object.entries(await verifiersOf(whole)))
      t.ok(isWhole, `${name}: the record is whole`);
    t.strictSame(verify(whole).problems, []);
    t.match(verify(await exportRecord(app, { sessionId })), { problems: [] });
    await unguard(beside, onPostgres);

    const all = new Set((await beside.rows(columnsOf(onPostgres))).map(({ name }) => String(name)));
    for (const listed of covered) {
      const [table = '', named = ''] = listed.split('.');
      const column = onPostgres && named === 'uid' ? 'id' : named;
      t.ok(all.has(`${table}.${column}`), `${listed} is there`);
      const place = onPostgres ? 'ctid' : 'rowid';
      const [row] = await beside.rows(
        `SELECT ${place} AS at, "${column}" AS value FROM "${table}" WHERE "${column}" IS NOT NULL ORDER BY ${place} DESC LIMIT 1`,
      );
      if (!row) {
        t.fail(`${listed} has no value to falsify`);
        continue;
      }
      await t.test(listed, (t) => falsify(t, app, beside, { table, column, row, place }));
    }
  },
);

t.test('a row that no evaluation can have written is named, and hides nothing', async (t) => {
  const app = await startApp(t);
  await history(app);
  const beside = await openBeside(t, app.database);
  await unguard(beside, isPostgres(app.database));
  const forgeries = {
    // Texts of JSON are a part of an entry as they are: behind one of them, another member would have the same hash.
    'detections moved behind tags': `data_tags = data_tags || ',"detections":' || detections, detections = NULL
      WHERE data_tags IS NOT NULL AND detections IS NOT NULL`,
    'a severity moved behind detections': `detections = detections || ',"enforcedSeverity":"' || enforced_severity || '"',
      enforced_severity = NULL WHERE detections IS NOT NULL AND enforced_severity IS NOT NULL`,
    'an outcome moved behind labels': `labels = labels || ',"outcome":"ALLOW"' WHERE labels IS NOT NULL`,
    'a digest that is a number': `content_salt = NULL, content_digests = '{"input":5}'`,
    'digests that are none': `content_salt = NULL, content_digests = 'null'`,
    'violations without an end': `violations = '{' WHERE violations IS NOT NULL`,
  };
  const columns =
    'id, data_tags, detections, labels, enforced_severity, content_salt, content_digests, violations';
  for (const [name, change] of Object.entries(forgeries)) {
    const kept = await beside.rows(`SELECT ${columns} FROM evaluations`);
    const changed = await beside.rows(`UPDATE evaluations SET ${change} RETURNING id`);
    t.ok(changed.length > 0, `${name}: there is such a row`);
    t.strictSame(
      await verifiersOf(await exportRecord(app)),
      { 'assize audit verify': false, 'verify-record.mjs': false, 'the console': false },
      name,
    );
    for (const { id, ...row } of kept)
      for (const [column, value] of Object.entries(row))
        await beside.rows(
          `UPDATE evaluations SET ${column} = ? WHERE id = ? RETURNING id`,
          value as string,
          id as string,
        );
    t.strictSame(verify(await exportRecord(app)).problems, [], `${name}: as it was`);
  }
});

const columnsOf = (isPostgres: boolean): string =>
  isPostgres
    ? "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'"
    : "SELECT m.name || '.' || c.name AS name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'";

async function falsify(
  t: Test,
  app: TestApp,
  beside: Beside,
  of: { table: string; column: string; row: Row; place: string },
): Promise<void> {
  const { table, column, row, place } = of;
  const set = (value: unknown, where: unknown) =>
    beside.rows(
      `UPDATE "${table}" SET "${column}" = ? WHERE ${place} = ? RETURNING ${place} AS at`,
      value as string,
      where as string,
    );
  const [changed] = await set(falsified(row.value), row.at);
  let found: Record<string, boolean> | string;
  try {
    found = await verifiersOf(await exportRecord(app));
  } catch (error) {
    found = (error as Error).message;
  }
  await set(row.value, changed?.at ?? row.at);
  t.strictSame(found, { 'assize audit verify': false, 'verify-record.mjs': false, 'the console': false });
}

t.test('what is in force without an entry is recorded at the first start, and never again', async (t) => {
  const app = await startApp(t);
  const start = () => app.services.firstStart({ adminKey, demo: null });
  const make = (name: string) => {
    const document = house.replace('name: house', `name: ${name}`);
    return app.services.policies.create(null, { text: document, mediaType: 'application/yaml' }, 'ACTIVE');
  };
  // As the first start makes it: no management call does.
  await make('before');
  t.strictSame(await verifiersOf(await exportRecord(app)), {
    'assize audit verify': false,
    'verify-record.mjs': false,
    'the console': false,
  });
  await start();
  const { problems, versions, unnamedVersions } = verify(await exportRecord(app));
  t.strictSame({ problems, versions, unnamedVersions }, { problems: [], versions: 1, unnamedVersions: 0 });
  await make('slipped-in');
  await start();
  t.match(verify(await exportRecord(app)).problems, [
    { code: 'uncovered', message: /no entry says that policies\// },
    { code: 'uncovered', message: /no entry says who made version 1/ },
  ]);
});
