import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { adminKey, createClock, startApp, type TestApp, temporaryFolder } from '../helpers/app.ts';
import { type Ran, run } from '../helpers/command.ts';
import { rule } from '../helpers/policies.ts';

interface Served extends TestApp {
  url: string;
  remote: (...args: string[]) => Promise<Ran>;
  local: (...args: string[]) => Promise<Ran>;
}

/** The service on a port, asked over HTTP and on its database, both while it serves. */
async function serve(t: Test): Promise<Served> {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...app,
    url,
    remote: (...args) => run([...args, '--url', url, '--key', adminKey]),
    local: (...args) => run([...args, '--database', app.database]),
  };
}

/** An integration with a policy, a session with actions of every kind, and a review that waits. */
async function fill(app: Served) {
  const { id, key } = await app.integration();
  const held = await app.policy(id, rule('tool == "held"', 'APPROVAL_REQUIRED'));
  await app.policy(id, rule('tool == "bad"', 'BLOCK'));
  const ask = async (tool: string, sessionId?: string) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool }, ...(sessionId && { sessionId }) })).body
      .data;
  const { sessionId } = await ask('good');
  await ask('bad', sessionId);
  const { reviewRequestId } = await ask('held', sessionId);
  return { id, key, held, sessionId, reviewRequestId };
}

t.test('what a command finds is the same on the database and over HTTP, in every form', async (t) => {
  const app = await serve(t);
  const { id, held, sessionId, reviewRequestId } = await fill(app);
  for (const args of [
    ['integrations', 'list'],
    ['integrations', 'show', id],
    ['integrations', 'show', 'test AGENT'],
    ['integrations', 'show', 'nobody'],
    ['integrations', 'policies', id],
    ['policies', 'list', '--status', 'active'],
    ['policies', 'show', held],
    ['policies', 'show', held, '--document'],
    ['policies', 'versions', held],
    ['sessions', 'list', '--integration', 'test AGENT', '--size', '1'],
    ['sessions', 'show', sessionId],
    ['sessions', 'show', 'nonsense'],
    ['sessions', 'tail', '--no-follow'],
    ['sessions', 'tail', sessionId, '--no-follow', '--last', '2'],
    ['reviews', 'list', '--status', 'PENDING', '--session', sessionId],
    ['reviews', 'show', reviewRequestId],
    ['reviews', 'approve', sessionId],
  ]) {
    for (const form of [args, [...args, '--json']]) {
      const [remote, local] = [await app.remote(...form), await app.local(...form)];
      t.strictSame(local, remote, form.join(' '));
      t.ok(remote.out !== '' || remote.err !== '', 'and is something');
    }
  }
});

t.test('lists and details of sessions name the integration', async (t) => {
  const app = await serve(t);
  const { sessionId } = await fill(app);
  for (const args of [['list'], ['show', sessionId]])
    t.match((await app.remote('sessions', ...args)).out, /\btest AGENT\b/, args.join(' '));
});

t.test('--json prints the data of the REST answer', async (t) => {
  const app = await serve(t);
  const { id, sessionId, reviewRequestId } = await fill(app);
  for (const [args, url] of [
    [['integrations', 'list'], '/v1/integrations'],
    [['integrations', 'show', id], `/v1/integrations/${id}`],
    [['policies', 'list'], '/v1/policies'],
    [['sessions', 'list'], '/v1/evaluation-sessions'],
    [['sessions', 'show', sessionId], `/v1/evaluation-sessions/${sessionId}`],
    [['reviews', 'list'], '/v1/reviews'],
    [['reviews', 'show', reviewRequestId], `/v1/reviews/${reviewRequestId}`],
  ] as const) {
    const { data } = (await app.call(adminKey, 'GET', url)).body;
    t.strictSame(JSON.parse((await app.local(...args, '--json')).out), data, args.join(' '));
  }
  const tail = (await app.remote('sessions', 'tail', '--no-follow', '--json')).out.trimEnd().split('\n');
  const { data } = (await app.call(adminKey, 'GET', '/v1/evaluations')).body;
  t.strictSame(
    tail.map((line) => JSON.parse(line)),
    data,
    'tail: a line each',
  );
});

/** Other writes reach the database as these do. */
for (const side of ['remote', 'local'] as const) {
  t.test(`${side}: integrations are made, changed, given another key and deleted`, async (t) => {
    const app = await serve(t);
    const json = async (...args: string[]) => JSON.parse((await app[side](...args, '--json')).out);
    const made = await json('integrations', 'create', 'mine', '--kind', 'agent', '--retain', 'none');
    t.match(made, { name: 'mine', kind: 'AGENT', settings: { contentRetention: 'none' } });
    const works = async (key: string) => (await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status;
    t.equal(await works(made.apiKey), 200, 'the key works at the server at once');
    const changed = await json(
      'integrations',
      'update',
      'mine',
      ...['--name', 'ours', '--description', 'd', '--requests-per-minute', '7'],
      ...['--disable-tag', 'IBAN_CODE', 'US_SSN', '--sensitivity', 'STRICT'],
    );
    t.match(changed, {
      name: 'ours',
      description: 'd',
      settings: {
        contentRetention: 'none',
        requestsPerMinute: 7,
        disabledTags: ['IBAN_CODE', 'US_SSN'],
        detectionSensitivity: 'strict',
      },
    });
    const { apiKey } = await json('keys', 'rotate', 'ours', '--expires-at', '2099-01-01T00:00:00Z');
    t.strictSame([await works(made.apiKey), await works(apiKey)], [401, 200]);
    const deleted = await app[side]('integrations', 'delete', made.id);
    t.match(deleted, { code: 0, out: /^DELETED\t\d{4}-/m }, 'and says so');
    t.equal(await works(apiKey), 401);
    t.match(await app[side]('integrations', 'update', 'ours'), { code: 2, err: /give at least one option/ });
    t.match(await app[side]('integrations', 'delete', 'ours'), {
      code: 1,
      out: '',
      err: 'assize: no integration has the name or id "ours"\n',
    });
  });

  t.test(`${side}: a review is decided once, with a comment that the agent gets`, async (t) => {
    const app = await serve(t);
    const { key, reviewRequestId } = await fill(app);
    const shown = (await app.call(key, 'GET', `/v1/reviews/${reviewRequestId}`)).body.data.evaluationRunId;
    const approve = (evaluation: string) =>
      app[side](
        'reviews',
        'approve',
        reviewRequestId,
        '--comment',
        'asked Ada',
        '--evaluation',
        evaluation,
        '--json',
      );
    t.match(await approve(reviewRequestId), { code: 1, err: /the action was tried again/ });
    const decided = await approve(shown);
    const name = side === 'local' ? 'command line' : 'owner';
    t.match(JSON.parse(decided.out), { status: 'APPROVED', comment: 'asked Ada', decidedBy: { name } });
    const seen = await app.call(key, 'GET', `/v1/reviews/${reviewRequestId}`);
    t.match(seen.body.data, { status: 'APPROVED', comment: 'asked Ada' });
    t.strictSame(await app[side]('reviews', 'reject', reviewRequestId), {
      code: 1,
      out: '',
      err: `assize: the review is APPROVED: ${name} decided at ${seen.body.data.decidedAt}\n`,
    });
  });
}

t.test('a policy file is pushed, compared, rolled back and retired', async (t) => {
  const app = await serve(t);
  const file = join(temporaryFolder(t), 'policy.yaml');
  const text = rule('tool == "x"', 'WARN').replace(/name: .*/, 'name: pushed');
  const json = async (...args: string[]) => JSON.parse((await app.remote(...args, '--json')).out);
  writeFileSync(file, text);
  t.match(await json('policies', 'diff', file), { policyId: null, version: null, same: false });
  const pushed = await json('policies', 'push', file);
  t.match(pushed, { name: 'pushed', status: 'DRAFT', version: 1, document: text });
  t.match(await json('policies', 'push', file, '--activate'), {
    id: pushed.id,
    status: 'ACTIVE',
    version: 1,
  });
  t.strictSame(await app.remote('policies', 'diff', file), { code: 0, out: '', err: '' });
  writeFileSync(file, text.replace('WARN', 'BLOCK'));
  const { code, out } = await app.remote('policies', 'diff', file);
  t.equal(code, 1, 'a difference is 1, as diff has it');
  t.match(out, /^--- pushed version 1\n\+\+\+ .*policy\.yaml\n@@ .*\n[\s\S]*-.*WARN[\s\S]*\+.*BLOCK/);
  t.match(await json('policies', 'push', file), { id: pushed.id, version: 2, status: 'ACTIVE' });
  t.match(await json('policies', 'activate', 'pushed', '1'), { version: 1, latestVersion: 2 });
  t.match(await app.remote('policies', 'activate', 'pushed', '3'), {
    code: 1,
    err: /version: .*no such version/,
  });
  t.match(await app.remote('policies', 'activate', 'pushed', 'one'), { code: 2 });
  t.equal((await app.remote('policies', 'show', 'pushed', '--document')).out, text, 'to the byte');

  const { id } = await app.integration();
  t.match(await json('integrations', 'bind', id, 'pushed'), { integrationId: id, policyId: pushed.id });
  t.match(await json('integrations', 'policies', id), [{ id: pushed.id }]);
  t.equal((await app.remote('integrations', 'unbind', id, 'pushed')).code, 0);
  t.match(await json('policies', 'deprecate', 'pushed'), { status: 'DEPRECATED' });
  t.match(await app.remote('policies', 'deprecate', 'pushed'), { code: 1, err: /already DEPRECATED/ });
  t.strictSame(await json('policies', 'delete', 'pushed'), {
    id: pushed.id,
    name: 'pushed',
    deleted: true,
  });

  writeFileSync(file, 'schemaVersion: 1\nname: bad\nrules: [{ id: a, when: tol == "x", effect: WARN }]\n');
  const refused = await app.remote('policies', 'push', file);
  t.equal(refused.code, 1);
  t.match(refused.err, /^assize: .*policy\.yaml:3:\d+: .*unknown variable "tol"; did you mean "tool"\?\n$/);
  t.match(await app.remote('policies', 'push', `${file}.not`), { code: 2, err: /there is no such file/ });
});

t.test('of two integrations of one name, a command wants the id', async (t) => {
  const app = await serve(t);
  const [older, newer] = [await app.integration(), await app.integration()];
  t.strictSame(await app.remote('integrations', 'delete', 'test AGENT'), {
    code: 1,
    out: '',
    err: `assize: 2 integrations are named "test AGENT", give the id of one: ${newer.id}, ${older.id}\n`,
  });
});

t.test('a reviewer sees the target and its metadata', async (t) => {
  const app = await serve(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "held"', 'APPROVAL_REQUIRED'));
  const action = {
    input: { tool: 'held' },
    targetKey: 'mail',
    targetMetadata: { to: 'bob@example.com' },
  };
  const { reviewRequestId } = (await app.call(key, 'POST', '/v1/evaluate', action)).body.data;
  const { out } = await app.remote('reviews', 'show', reviewRequestId);
  t.match(out, /^TARGET\tmail$/m);
  t.match(out, /^TARGET METADATA\t\{"to":"bob@example\.com"\}$/m);
});

t.test('two policies of one name are never guessed between', async (t) => {
  const app = await serve(t);
  const file = join(temporaryFolder(t), 'policy.yaml');
  writeFileSync(file, rule('tool == "x"', 'WARN'));
  const ids = [];
  for (const _ of [1, 2]) {
    const { body } = await app.call(adminKey, 'POST', '/v1/policies', readFileSync(file, 'utf8'), {
      'content-type': 'application/yaml',
    });
    ids.push(body.data.id);
  }
  const { code, err } = await app.local('policies', 'push', file);
  t.equal(code, 1);
  t.match(
    err,
    /^assize: 2 policies are named .*, give one by --policy ID: [-0-9a-f]+ \(DRAFT, version 1\), /,
  );
  for (const id of ids) t.match(err, id);
  t.equal((await app.local('policies', 'push', file, '--policy', ids[0])).code, 0);
  await app.local('policies', 'deprecate', ids[0]);
  t.equal((await app.local('policies', 'push', file)).code, 0, 'a DEPRECATED one gives its name up');
});

t.test(
  'an operator key is rotated without a moment without one; a lost one is made on the database',
  async (t) => {
    const app = await serve(t);
    const lost = JSON.parse((await app.local('keys', 'create', '--json')).out);
    const by = (key: string, ...args: string[]) => run([...args, '--json', '--url', app.url, '--key', key]);
    const next = JSON.parse((await by(lost.key, 'keys', 'rotate')).out);
    t.match(await by(lost.key, 'keys', 'list'), { code: 3, out: '' });
    const keys = JSON.parse((await by(next.key, 'keys', 'list')).out) as Record<string, unknown>[];
    const of = (id: string) => keys.find((key) => key.id === id);
    t.match(of(next.id), { current: true, revokedAt: null });
    t.match(of(lost.id), { current: false, revokedAt: String });
    const first = keys.find(({ id }) => id !== next.id && id !== lost.id);
    t.equal((await by(next.key, 'keys', 'revoke', String(first?.id))).code, 0);
    t.match(await by(next.key, 'keys', 'revoke', next.id), {
      code: 1,
      err: /one active owner must keep a key/,
    });
    t.match(await app.local('keys', 'rotate'), { code: 2, err: /on the database no key is in use/ });
    t.match(await by(next.key, 'keys', 'rotate', '--expires-at', 'x'), { code: 1, err: /expiresAt/ });
  },
);

t.test('every way to be refused has its exit code, and a sentence on standard error alone', async (t) => {
  const app = await serve(t);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'words.db'), 'just words '.repeat(1_000));
  const wrongKey = `asz_admin_${'x'.repeat(43)}`;
  for (const [args, code, said] of [
    [['reviews', 'list', '--url', app.url], 2, /wants an operator key \(asz_admin_…\): set ASSIZE_ADMIN_KEY/],
    [['reviews', 'list', '--url', 'nonsense', '--key', adminKey], 2, /url must be an http or https URL/],
    [['reviews', 'list', '--url', app.url, '--key', 'a b'], 2, /apiKey must be/],
    [['reviews', 'list', '--url', app.url, '--key', wrongKey], 3, /invalid, expired or missing API key/],
    [
      ['reviews', 'list', '--url', 'http://127.0.0.1:1', '--key', adminKey],
      3,
      /no response from http:\/\/127/,
    ],
    [['reviews', 'list', '--database', join(folder, 'none.db')], 2, /there is no database .*none\.db/],
    [
      ['reviews', 'list', '--database', join(folder, 'words.db')],
      2,
      /words\.db cannot be opened: file is not a database/,
    ],
    [['reviews', 'list', '--status', 'LATE', '--database', app.database], 2, /Allowed choices are PENDING/],
    [['reviews', 'list', '--size', '201', '--database', app.database], 2, /whole number from 1 to 200/],
    [['reviews', 'show', '..', '--database', app.database], 1, /is not an id/],
    [['sessions', 'finish'], 2, /unknown command 'finish'/],
  ] as const) {
    const ran = await run(args);
    t.equal(ran.code, code, args.join(' '));
    t.equal(ran.out, '');
    t.match(ran.err, said);
    t.match(ran.err, /^assize: [^\n]+\n/);
    t.notMatch(ran.err, / {4}at |x{43}/, 'no stack, no key');
  }
});

t.test('a list on a terminal has titles and says what comes next; a pipe gets bare values', async (t) => {
  const app = await serve(t);
  for (const _ of [1, 2, 3]) await app.integration();
  const args = ['integrations', 'list', '--size', '2', '--database', app.database];
  const [terminal, piped] = [await run(args, { terminal: true }), await run(args)];
  t.match(terminal.out, /^\S*NAME\S* .*ID/);
  t.match(terminal.err, /^2 of 3: --page 2 shows the next\n$/);
  t.equal(piped.out.trimEnd().split('\n').length, 2);
  t.match(piped.out, /^[0-9a-f-]{36}\ttest AGENT\tAGENT\tasz_live_....\t\t/);
  t.equal(piped.err, '');
  const empty = ['reviews', 'list', '--database', app.database];
  t.equal((await run(empty)).out, '');
  t.equal((await run(empty, { terminal: true })).out, 'There are no such reviews.\n');
});

t.test('what an agent sends cannot move the cursor, break a line or turn the writing', async (t) => {
  const app = await serve(t);
  const { key } = await app.integration();
  const text = 'a\u001b[2Jb\tc\nd\u202ee\u0085';
  const prompt = { phase: 'PROMPT', externalSessionId: text, targetKey: text, input: {} };
  const { sessionId } = (await app.call(key, 'POST', '/v1/evaluate', prompt)).body.data;
  for (const args of [
    ['sessions', 'tail', '--no-follow'],
    ['sessions', 'show', sessionId],
  ]) {
    for (const terminal of [true, false]) {
      const { out } = await run([...args, '--database', app.database], { terminal });
      t.match(out, 'a\\u001b[2Jb\\u0009c\\u000ad\\u202ee\\u0085');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are the only sequences that may be there
      t.notMatch(out.replaceAll(/\u001b\[\d+m/g, ''), /[\u001b\u202e\u0085]/);
    }
  }
});
