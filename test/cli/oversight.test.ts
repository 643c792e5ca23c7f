import t from 'tap';
import { rule } from '../helpers/policies.ts';
import { serveCli } from '../helpers/serve-cli.ts';

t.test('shared lists on the command line', async (t) => {
  const { assize } = await serveCli(t);
  const lists = (...args: string[]) => assize('lists', ...args, '--json');
  const made = await lists('create', 'domains', '--kind', 'domains', '--entry', 'b.example', 'a.example');
  t.match(made, { code: 0, data: { kind: 'DOMAINS', entries: ['a.example', 'b.example'] } });
  const given = ['--add', 'c.example', '--remove', 'b.example', '--note', 'sold'];
  t.match((await lists('update', 'domains', ...given)).data, {
    version: 2,
    entries: ['a.example', 'c.example'],
  });
  t.match((await lists('list', '--kind', 'DOMAINS')).data, [{ name: 'domains', entryCount: 2 }]);
  t.equal((await assize('lists', 'show', 'domains', '--entries')).data, 'a.example\nc.example\n');
  t.match((await lists('changes', 'domains')).data, [
    { note: 'sold', added: ['c.example'], removed: ['b.example'] },
    {},
  ]);
  t.match(await lists('update', 'domains'), { code: 2, err: /--add/ });
  t.match(await lists('create', 'x'), { code: 2, err: /--kind/ });
  t.match(await lists('show', 'none'), { code: 1, err: /no list has the name or id "none"/ });
  t.equal((await lists('delete', 'domains')).code, 0);
});

t.test('house policies on the command line: bound, changed and unbound', async (t) => {
  const { app, assize } = await serveCli(t);
  const { key } = await app.integration();
  const file = `${t.testdir({ 'policy.yaml': rule('tool == params.tool', 'BLOCK', 'params: { tool: none }') })}/policy.yaml`;
  await assize('policies', 'push', file, '--activate', '--note', 'ticket 17');
  const odd = `${t.testdir({ 'odd.yaml': rule('tool in []', 'BLOCK').replace('one-rule', 'odd') })}/odd.yaml`;
  t.match(await assize('policies', 'push', odd), {
    code: 0,
    err: /odd.yaml:7:11: warning: .* can never match/,
  });
  t.match((await assize('policies', 'versions', 'one-rule', '--json')).data, [{ note: 'ticket 17' }]);
  const house = (...args: string[]) => assize('house-policies', ...args, '--json');
  const send = async () =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'shell' } })).body.data.enforcementAction;
  t.match(await house('bind', 'one-rule'), { code: 0, data: { params: {}, mode: null } });
  t.equal(await send(), 'ALLOW');
  const given = ['bind', 'one-rule', '--param', 'tool=shell'];
  t.match((await house(...given)).data, { params: { tool: 'shell' } });
  t.equal(await send(), 'BLOCK');
  t.match((await house(...given, '--mode', 'monitor')).data, { mode: 'MONITOR' });
  t.equal(await send(), 'ALLOW');
  t.match(
    (await assize('house-policies', 'list')).data,
    /\tone-rule\tACTIVE\t1\t\{"tool":"shell"\}\tMONITOR\t/,
  );
  t.match(await house('bind', 'one-rule', '--param', 'x'), { code: 2, err: /name=value/ });
  t.equal((await house('unbind', 'one-rule')).code, 0);
  t.match(await house('unbind', 'one-rule'), { code: 1, err: /house policy/ });
  t.match(await assize('house-policies', 'list'), { code: 0, data: '' });
  t.match(await house('bind', 'none'), { code: 1, err: /no policy has the name or id "none"/ });
});

t.test('proposals on the command line: made, shown, activated and rejected', async (t) => {
  const { assize } = await serveCli(t);
  await assize('lists', 'create', 'domains', '--kind', 'domains', '--entry', 'a.example');
  const proposals = (...args: string[]) => assize('proposals', ...args, '--json');
  const change = ['create', 'changeList', '--list', 'domains'];
  const made = await proposals(...change, '--add', 'b.example', '--note', 'ticket 18');
  t.match(made, { code: 0, data: { status: 'PENDING', change: { add: ['b.example'] }, note: 'ticket 18' } });
  const { id } = made.data;
  t.match((await proposals('list', '--status', 'pending')).data, [{ id, operation: 'changeList' }]);
  t.match((await assize('proposals', 'show', id)).data, /"add":\["b.example"\]/);
  t.match((await proposals('activate', id)).data, { status: 'ACTIVATED' });
  t.equal((await assize('lists', 'show', 'domains', '--entries')).data, 'a.example\nb.example\n');
  t.match(await proposals('reject', id), { code: 1, err: /was ACTIVATED/ });
  const other = await proposals(...change, '--remove', 'a.example');
  t.match((await proposals('reject', other.data.id)).data, { status: 'REJECTED' });
  t.match(await proposals('create', 'bindPolicy'), { code: 1, err: /integrationId/ });
});

t.test('proposals of tool catalogues, integrations and operators take their fields from JSON', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id } = await app.integration();
  const [tool, listed] = [
    { name: 'a', effect: 'READ' },
    { name: 'b', annotations: { readOnlyHint: true } },
  ];
  const folder = t.testdir({
    'tools.json': JSON.stringify({ integrationId: id, tools: [tool], updatedAt: null }),
    'list.json': JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [listed] } }),
  });
  const create = (operation: string, fields: string, ...target: string[]) =>
    assize('proposals', 'create', operation, ...target, '--fields', fields, '--json');
  const made = async (...given: Parameters<typeof create>) => {
    const { code, err, data } = await create(...given);
    t.equal(code, 0, err);
    t.equal((await assize('proposals', 'activate', data.id)).code, 0);
    return data.change;
  };
  const of = ['--integration', id];
  t.match(await made('replaceToolCatalogue', `${folder}/tools.json`, ...of), { tools: [tool] });
  t.match(await made('importTools', `${folder}/list.json`, ...of), { listedTools: [listed] });
  t.match((await assize('tools', 'show', id, '--json')).data.tools, [tool, { name: 'b', effect: 'READ' }]);
  t.match(await made('changeIntegration', '{"settings":{"whenNoPolicy":"BLOCK"}}', ...of), {
    integrationId: id,
  });
  const operator = (await assize('operators', 'create', 'Eve', '--role', 'REVIEWER', '--json')).data.id;
  t.match(await made('changeOperator', '{"groups":["finance"]}', '--operator', operator), {
    operatorId: operator,
  });
  t.match(await create('importTools', `${folder}/none.json`, ...of), {
    code: 2,
    err: /none.json: cannot be read/,
  });
  t.match(await create('importTools', '{', ...of), { code: 2, err: /--fields: must be a JSON object/ });
});

t.test('violations on the command line, until they are resolved or dismissed', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('true', 'BLOCK'));
  for (let count = 0; count < 2; count++)
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const violations = (...args: string[]) => assize('violations', ...args, '--json');
  const listed = await violations(
    'list',
    '--status',
    'new',
    '--integration',
    id,
    '--policy',
    'one-rule',
    '--rule',
    'the-rule',
  );
  const [first, second] = listed.data.map((one: { id: string }) => one.id);
  t.match((await violations('show', first)).data, { status: 'NEW', tool: 'x' });
  t.match((await violations('acknowledge', first, '--note', 'asked')).data, {
    status: 'ACKNOWLEDGED',
    note: 'asked',
  });
  t.match((await violations('resolve', first, '--type', 'agent_changed')).data, { status: 'RESOLVED' });
  t.match((await violations('dismiss', second, '--reason', 'FALSE_POSITIVE')).data, {
    dismissal: 'FALSE_POSITIVE',
  });
  t.match((await violations('rules')).data, [{ ruleId: 'the-rule', falsePositiveRate: 0.5 }]);
  t.match(await violations('dismiss', second, '--reason', 'TEST'), { code: 1, err: /DISMISSED/ });
  t.match(await violations('resolve', first), { code: 2, err: /--type/ });
  t.match((await assize('violations', 'list')).data, /\tthe-rule\t/);
});

t.test('tool catalogues on the command line', async (t) => {
  const { app, assize } = await serveCli(t);
  await app.integration();
  const folder = t.testdir({
    'tools.json': JSON.stringify({ tools: [{ name: 'mail', effect: 'EXTERNAL', destinations: ['to'] }] }),
    'listed.json': JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'look' }] } }),
  });
  const tools = (...args: string[]) => assize('tools', ...args);
  t.match(await tools('set', 'test AGENT', `${folder}/tools.json`, '--json'), {
    code: 0,
    data: { tools: [{ name: 'mail' }] },
  });
  t.match((await tools('import', 'test AGENT', `${folder}/listed.json`)).data, /^mail\tEXTERNAL\t.*\nlook\t/);
  const shown = await tools('show', 'test AGENT', '--json');
  t.match(shown.data.tools, [{ name: 'mail', destinations: ['to'] }, { name: 'look' }]);
  const saved = t.testdir({ 'shown.json': JSON.stringify(shown.data) });
  t.match(await tools('set', 'test AGENT', `${saved}/shown.json`, '--json'), {
    code: 0,
    data: { tools: shown.data.tools },
  });
  t.match(await tools('show', 'test AGENT'), { code: 0, data: /\tto\t/ });
  const server = t.testdir({
    'listed.json': JSON.stringify({ tools: [{ name: 'look', description: 'other' }, { name: ' x' }] }),
  });
  t.match(await tools('import', 'test AGENT', `${server}/listed.json`), {
    code: 1,
    data: /\nlook\t.*\theld/,
    err: /these were not imported, the others were:\nassize: {4}x: name must not begin or end with white space/,
  });
  const changes = await tools('changes', 'test AGENT');
  const [, digest = ''] = /^(\w{8})\tlook\tdescription\tnull\tother$/m.exec(changes.data) ?? [];
  t.match(await tools('accept', 'test AGENT', '00000000'), {
    code: 1,
    err: /no change waits with the digest "00000000"/,
  });
  t.match(await tools('accept', 'test AGENT', digest.slice(0, 7)), { code: 1 }, 'too short to be sure');
  t.match(await tools('accept', 'test AGENT', digest), { code: 0, data: /\nlook\t.*\tno/ });
  t.match(await tools('changes', 'test AGENT', '--json'), { code: 0, data: [] });
  t.match(await tools('show', 'nobody'), { code: 1, err: /no integration has the name or id "nobody"/ });
});

t.test('files that are no tool catalogue are refused by name', async (t) => {
  const { app, assize } = await serveCli(t);
  await app.integration();
  const folder = t.testdir({ 'list.json': '[]', 'no.json': '{', 'bad.json': '{"tools":[{"name":"a"}]}' });
  const set = (file: string) => assize('tools', 'set', 'test AGENT', `${folder}/${file}`);
  t.match(await set('none.json'), { code: 2, err: /none\.json: cannot be read/ });
  t.match(await set('no.json'), { code: 2, err: /no\.json: must be a JSON object with "tools"/ });
  t.match(await set('list.json'), { code: 2, err: /must be a JSON object with "tools"/ });
  t.match(await set('bad.json'), { code: 1, err: /effect/ });
});

t.test('labels and grants of a session on the command line', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id, key } = await app.integration();
  const grant = 'effect: APPROVAL_REQUIRED, approval: { grant: { same: [tool, input.to], uses: 3 } }';
  await app.policy(
    id,
    `schemaVersion: 1
name: mail
rules:
  - { id: read, when: tool == "read", label: [UNTRUSTED] }
  - { id: held, when: tool == "mail", ${grant} }`,
  );
  const send = async (input: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input, externalSessionId: 's' })).body.data;
  const { sessionId } = await send({ tool: 'read' });
  const reviewOf = async (to: string) => (await send({ tool: 'mail', to })).reviewRequestId;
  const [bob, eve] = [await reviewOf('bob'), await reviewOf('eve')];
  t.match(
    (await assize('reviews', 'show', bob)).data,
    /held: the same tool, input\.to, 3 more times, in this session/,
  );
  t.equal((await assize('reviews', 'approve', bob)).code, 0);
  t.equal((await assize('reviews', 'approve', eve, '--once')).code, 0);
  t.match(await assize('reviews', 'approve', bob, eve, '--once'), {
    code: 2,
    err: /--once is of one review/,
  });
  const { data } = await assize('sessions', 'show', sessionId, '--json');
  t.match(data, { labels: ['UNTRUSTED'], grants: [{ reviewRequestId: bob, usesLeft: 3 }] });
  t.equal(data.grants.length, 1, 'what was approved once grants nothing');
  t.match(
    (await assize('sessions', 'show', sessionId)).data,
    /LABELS\tUNTRUSTED\n(.*\n)*.*\theld\tmail\t3\twith the session\t/,
  );

  t.match((await assize('sessions', 'remove-label', sessionId, 'UNTRUSTED', '--json')).data, { labels: [] });
  t.match(await assize('sessions', 'remove-label', sessionId, 'UNTRUSTED'), {
    code: 1,
    err: /carries the label/,
  });
  const remove = () => assize('sessions', 'remove-grant', sessionId, data.grants[0].id, '--json');
  t.match((await remove()).data, { grants: [] });
  t.match(await remove(), { code: 1, err: /has this grant/ });
});

t.test('a webhook without a receiver is refused before a key is sent anywhere', async (t) => {
  const { app, assize } = await serveCli(t);
  t.match(await assize('webhooks', 'create', 'chat'), { code: 2, err: /give --endpoint/ });
  t.notOk(app.log.some((line) => line.includes('webhooks')));
  const made = await assize('webhooks', 'create', 'chat', '--endpoint', 'https://example.com', '--json');
  t.match(made, { code: 0, data: { name: 'chat' } });
  const named = await assize('webhooks', 'update', 'chat', '--status', 'disabled', '--json');
  t.match(named, { code: 0, data: { id: made.data.id, status: 'DISABLED' } }, 'by its name');
  t.match(await assize('webhooks', 'redeliver', '--webhook', 'chat', '--json'), { data: { count: 0 } });
  t.match(await assize('webhooks', 'delete', 'other'), {
    code: 1,
    err: /no webhook has the name or id "other"/,
  });
  t.equal((await assize('webhooks', 'delete', 'chat')).code, 0);

  const create = 'webhooks create local --endpoint http://127.0.0.1:9/ --type list.* --json';
  const local = await assize(...create.split(' '));
  await assize('lists', 'create', 'sent', '--kind', 'DOMAINS');
  app.services.webhookDeliveries.start();
  let sent = await assize('webhooks', 'deliveries');
  while (sent.data === '') sent = await assize('webhooks', 'deliveries');
  const [, status, webhookId, type] = sent.data.split('\t');
  t.strictSame(
    [status, webhookId, type],
    ['PENDING', local.data.id, 'list.created'],
    'of which webhook it is',
  );
});

t.test('an option of the program is not one of its commands', async (t) => {
  const { assize } = await serveCli(t);
  const refused = await assize('policies', 'activate', 'pay', '--version', '2');
  t.match(refused, { code: 2, err: /unknown option '--version'/ });
});

t.test('evaluations on the command line are found by what was decided of them', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "shell"', 'BLOCK'));
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const send = (body: object, headers = {}) => app.call(key, 'POST', '/v1/evaluate', body, headers);
  await send({ input: { tool: 'shell', command: 'mail ada@example.com' }, correlationId: 'order 17' });
  await send({ input: { tool: 'search' } }, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await send({ input: { tool: 'search' } });
  const tools = async (...args: string[]) => {
    const { data } = await assize('evaluations', 'list', ...args, '--json');
    return data.map(({ tool }: { tool: string }) => tool);
  };
  t.strictSame(await tools(), ['search', 'search', 'shell']);
  const ofShell = [
    ['--decision', 'block'],
    ['--tool', 'shell'],
    ['--rule', 'the-rule'],
    ['--tag', 'EMAIL_ADDRESS'],
    ['--correlation', 'order 17'],
    ['--integration', 'test AGENT', '--from', '2020-01-01T00:00:00Z', '--decision', 'BLOCK'],
  ];
  for (const args of ofShell) t.strictSame(await tools(...args), ['shell'], args.join(' '));
  t.strictSame(await tools('--trace', traceId), ['search']);
  const { data } = await assize('evaluations', 'list', '--size', '2');
  const last = data.trim().split('\n')[1].split('\t')[0];
  t.strictSame(await tools('--before', last), ['shell']);
  t.strictSame(await tools('--to', '2020-01-01T00:00:00Z'), []);
  t.match(await assize('evaluations', 'list', '--trace', 'x'), { code: 1, err: /traceId/ });
});
