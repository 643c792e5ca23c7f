import { readFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import t, { type Test } from 'tap';
import { blocksOf } from '../../docs/blocks.ts';
import { adminKey, startApp, temporaryFolder } from '../../helpers/app.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { type Check, checks, levels, paged, todo } from './scenario.ts';

const page = 'docs/authzen.md';
/** The file of this name that the page has its reader write. */
function fileOf(name: string): string {
  const script = blocksOf(page)
    .map(({ body }) => body)
    .join('\n');
  const text = new RegExp(`^cat > ${name} <<'END'\n(.*?)^END$`, 'ms').exec(script)?.[1];
  if (text === undefined) throw new Error(`${page} has no ${name}`);
  return text;
}

/** The service over HTTPS, set up as the page says. */
async function certified(t: Test) {
  const authority = createAuthority(temporaryFolder(t), 'authority');
  const { cert, key: tlsKey } = authority.sign('pdp');
  const app = await startApp(t, { ASSIZE_TLS_CERT: cert, ASSIZE_TLS_KEY: tlsKey });
  const lists = /^assize lists create (\w+) --kind OTHER --entry (.+)$/gm;
  for (const [, name, entries = ''] of blocksOf(page).flatMap(({ body }) => [...body.matchAll(lists)]))
    await app.call(adminKey, 'POST', '/v1/lists', { name, kind: 'OTHER', entries: entries.split(' ') });
  const { id, key } = await app.integration('REST_API');
  const policyId = await app.policy(id, fileOf('scenario.yaml'));
  await app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, JSON.parse(fileOf('tools.json')));
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const ca = readFileSync(authority.file);
  return { app, id, policyId, send: (check: Sent) => send(url, { ca }, { key, ...check }) };
}

type Sent = Pick<Check, 'path' | 'method' | 'body' | 'headers' | 'key' | 'requestId'>;

function send(
  url: string,
  tls: RequestOptions,
  { path, method = 'POST', body, headers, key, requestId }: Sent,
) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
  return new Promise<{ status: number; headers: Record<string, any>; body: any }>((resolve, reject) => {
    const options = {
      ...tls,
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...(requestId && { 'x-request-id': requestId }),
        ...headers,
      },
    };
    request(new URL(path, url), options, async (response) => {
      const read = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(read) });
    })
      .on('error', reject)
      .end(text);
  });
}

type Answer = Awaited<ReturnType<typeof send>>;

function hold(t: Test, check: Check, { status, headers, body }: Answer): void {
  t.equal(status, check.status ?? 200, JSON.stringify(body));
  t.match(headers['content-type'], /^application\/json/);
  if (check.requestId) t.equal(headers['x-request-id'], check.requestId);
  if (check.decision !== undefined) t.equal(body.decision, check.decision);
  if (check.decisions) {
    const decided: boolean[] = body.evaluations.map(({ decision }: { decision: boolean }) => decision);
    t.ok(decided.every((one) => typeof one === 'boolean'));
    t.strictSame(
      decided.map((one, index) => (check.decisions?.[index] === null ? null : one)),
      check.decisions,
    );
  }
  if (check.finds) {
    const found: string[] = body.results.map(({ id, name }: { id?: string; name?: string }) => id ?? name);
    if (check.finds.length === 0) t.strictSame(found, []);
    for (const one of check.finds) t.ok(found.includes(one), `${found}: ${one}`);
  }
}

t.test('every check of the certification scenario holds over HTTPS', async (t) => {
  const { app, send } = await certified(t);
  for (const check of checks)
    await t.test(`${check.level} ${check.section} ${check.path}: ${check.what}`, async (t) =>
      hold(t, check, await send(check)),
    );
  await t.test('Search Core 4.5.2: pages until the end have each result once', async (t) => {
    const found: string[] = [];
    let token: string | undefined;
    do {
      const { status, body } = await send({ ...paged, body: { ...paged.body, page: { limit: 1, token } } });
      t.equal(status, 200);
      t.equal(body.results.length, body.page.count);
      t.ok(body.results.length <= 1);
      found.push(...body.results.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`));
      token = body.page.next_token;
    } while (token);
    t.strictSame(found, ['user alice', 'user bob']);
  });
  await t.test('Discovery 6: the addresses are those of the service, and HTTPS', async (t) => {
    const { status, body } = await send({
      path: '/.well-known/authzen-configuration',
      method: 'GET',
      key: null,
    });
    t.equal(status, 200);
    const { policy_decision_point: base, capabilities, ...endpoints } = body;
    t.match(base, /^https:\/\/127\.0\.0\.1:\d+$/);
    t.ok(capabilities.every((one: unknown) => typeof one === 'string'));
    t.strictSame(Object.values(endpoints), [
      ...['evaluation', 'evaluations', 'search/subject', 'search/resource', 'search/action', 'requests'].map(
        (path) => `${base}/access/v1/${path}`,
      ),
    ]);
  });
  const { body } = await app.call(adminKey, 'GET', '/v1/evaluations?size=100');
  t.notOk(JSON.stringify(body).includes('spaceship'), 'a search records nothing');
});

t.test('the page says how many checks there are of each level', async (t) => {
  const more: Record<string, number> = { 'Search Core': 1, Discovery: 1 };
  const shown = [...readFileSync(page, 'utf8').matchAll(/^\| ([\w ]+) \| (\d+) \| (\d+) \|/gm)];
  t.strictSame(
    shown.map(([, level, all, passed]) => [level, Number(all), Number(passed)]),
    levels.map((level) => {
      const count = checks.filter((check) => check.level === level).length + (more[level] ?? 0);
      return [level, count, count];
    }),
  );
});

t.test('the interoperability scenario Todo: 40 decisions, in batches and alone', async (t) => {
  const { app, send } = await certified(t);
  const { id: integrationId, key } = await app.integration('REST_API');
  await app.policy(integrationId, todo.policy);
  for (const [id, expected] of Object.entries(todo.decisions)) {
    const subject = { type: 'user', id };
    const evaluations = todo.asked.map(([name, type, isOwn]) => {
      const ownerID = isOwn ? id : id.startsWith('rick') ? 'morty@the-citadel.com' : 'rick@the-citadel.com';
      const resource =
        type === 'user' ? { type, id: ownerID } : { type, id: 'todo-1', properties: { ownerID } };
      return { action: { name }, resource };
    });
    const letter = ({ decision }: { decision: boolean }) => (decision ? 'y' : 'n');
    const batch = await send({ path: '/access/v1/evaluations', key, body: { subject, evaluations } });
    t.equal(batch.body.evaluations.map(letter).join(''), expected, id);
    const alone: string[] = [];
    for (const one of evaluations)
      alone.push(
        letter((await send({ path: '/access/v1/evaluation', key, body: { subject, ...one } })).body),
      );
    t.equal(alone.join(''), expected, id);
  }
});

t.test('a search that the policies cannot answer is refused, and says what is missing', async (t) => {
  const { app, id, policyId, send } = await certified(t);
  const { status, body } = await send(paged);
  t.match({ status, body }, { status: 200 });
  const next = await send({ ...paged, body: { ...paged.body, page: { limit: 1 } } });
  const token = next.body.page.next_token;
  t.notMatch(Buffer.from(token, 'base64url').toString(), /alice|bob|carol/, 'a token names no candidate');
  for (const [what, wrong] of Object.entries({
    garbage: { ...paged.body, page: { token: 'x' } },
    'of another search': { ...paged.body, action: { name: 'write' }, page: { token } },
  })) {
    const refused = await send({ ...paged, body: wrong });
    t.match(refused, { status: 400, body: { errors: [{ path: '/page/token' }] } }, what);
  }
  const continued = { ...paged, body: { ...paged.body, page: { token } } };
  t.match(await send(continued), { status: 200 });
  const { body: lists } = await app.call(adminKey, 'GET', '/v1/lists');
  for (const { id: listId } of lists.data)
    await app.call(adminKey, 'PATCH', `/v1/lists/${listId}`, { add: ['aaron'] });
  t.match(await send(continued), { status: 400, body: { errors: [{ path: '/page/token' }] } }, 'of before');
  await app.call(adminKey, 'DELETE', `/v1/integrations/${id}/policies/${policyId}`);
  const unknown = await send(paged);
  t.match(unknown, {
    status: 404,
    body: { errors: [{ path: '/subject/type', message: /no policy .* reads .*lists\.subjects_user/ }] },
  });
  const resources = {
    path: '/access/v1/search/resource',
    body: { ...paged.body, subject: { type: 'user', id: 'a' }, resource: { type: 'a.b' } },
  };
  t.match(await send(resources), {
    status: 404,
    body: { errors: [{ path: '/resource/type', message: /lists\.resources_a_b/ }] },
  });
});

t.test(
  'a search finds what the policies permit now: history, sessions that are over and holds count',
  async (t) => {
    const { app, id, send } = await certified(t);
    const found = async () => (await send(paged)).body.results.map(({ id }: { id: string }) => id);
    const evaluate = (subject: string) =>
      send({
        path: '/access/v1/evaluation',
        body: { ...paged.body, subject: { type: 'user', id: subject } },
      });
    await app.policy(
      id,
      `
schemaVersion: 1
name: once
rules:
  - id: once
    when: session.actionCount >= 1
    effect: BLOCK
    severity: HIGH
`,
    );
    t.strictSame(await found(), ['alice', 'bob']);
    await evaluate('alice');
    t.strictSame(await found(), ['bob'], 'she has had her action');
    await app.policy(
      id,
      `
schemaVersion: 1
name: held
rules:
  - id: held
    when: input.subject.id == "bob"
    effect: APPROVAL_REQUIRED
    severity: HIGH
`,
    );
    t.strictSame(await found(), [], 'an action that would be held is not permitted');
    const actions = {
      path: '/access/v1/search/action',
      body: { subject: { type: 'user', id: 'bob' }, resource: { type: 'record', id: 'record-1' } },
    };
    t.strictSame((await send(actions)).body.results, []);
    const sessions = (await app.call(adminKey, 'GET', '/v1/evaluation-sessions')).body.data;
    t.equal(sessions.length, 1, 'that of the evaluation');
  },
);
