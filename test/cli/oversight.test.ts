import t from 'tap';
import { rule } from '../helpers/policies.ts';
import { serveCli } from '../helpers/serve-cli.ts';

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
    err: /none.json: there is no such file/,
  });
  t.match(await create('importTools', '{', ...of), { code: 2, err: /--fields: must be a JSON object/ });
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
  t.match(await tools('import', 'test AGENT', `${folder}/listed.json`), {
    data: /^mail\tEXTERNAL\t.*\toperator\t.*\nlook\t.*\tproposal\t/,
  });
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
  t.match(await tools('confirm', 'test AGENT', 'other'), { code: 1, err: /not in the catalogue: other/ });
  t.match(await tools('confirm', 'test AGENT', 'look'), { code: 0, data: /\nlook\t.*\toperator\t/ });
  t.match((await tools('show', 'test AGENT', '--json')).data.tools[1].proposed, undefined);
  t.match(await tools('show', 'nobody'), { code: 1, err: /no integration has the name or id "nobody"/ });
});

t.test('files that are no tool catalogue are refused by name', async (t) => {
  const { app, assize } = await serveCli(t);
  await app.integration();
  const folder = t.testdir({ 'list.json': '[]', 'no.json': '{', 'bad.json': '{"tools":[{"name":"a"}]}' });
  const set = (file: string) => assize('tools', 'set', 'test AGENT', `${folder}/${file}`);
  t.match(await set('none.json'), { code: 2, err: /none\.json: there is no such file/ });
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
  await assize(...create.split(' '));
  await assize('lists', 'create', 'sent', '--kind', 'DOMAINS');
  app.services.webhookDeliveries.start();
  let sent = await assize('webhooks', 'deliveries');
  while (sent.data === '') sent = await assize('webhooks', 'deliveries');
  const [, status, webhookId, type] = sent.data.split('\t');
  t.strictSame([status, webhookId, type], ['PENDING', 'local', 'list.created'], 'of which webhook it is');
});

t.test('a policy is pushed with a note, and with warnings of what it hardly means', async (t) => {
  const { assize } = await serveCli(t);
  const folder = t.testdir({ 'odd.yaml': rule('tool in []', 'BLOCK') });
  t.match(await assize('policies', 'push', `${folder}/odd.yaml`, '--activate', '--note', 'ticket 17'), {
    code: 0,
    err: /odd.yaml:7:11: warning: .* can never match/,
  });
  t.match((await assize('policies', 'versions', 'one-rule', '--json')).data, [{ note: 'ticket 17' }]);
});

const id = '00000000-0000-4000-8000-000000000000';
const refused: readonly (readonly [line: string, code: number, says: RegExp])[] = [
  ['policies activate pay --version 2', 2, /unknown option '--version'/],
  ['lists update domains', 2, /--add/],
  ['lists create x', 2, /--kind/],
  ['lists show none', 1, /no list has the name or id "none"/],
  ['house-policies bind none', 1, /no policy has the name or id "none"/],
  [`house-policies bind ${id} --param x`, 2, /name=value/],
  [`house-policies unbind ${id}`, 1, /house policy/],
  ['proposals create bindPolicy', 1, /integrationId/],
  [`violations resolve ${id}`, 2, /--type/],
  ['entities register x --kind TEAM --metadata no', 2, /JSON object/],
  [`entities update ${id}`, 2, /at least one option/],
  ['entities show none', 1, /no entity has/],
  ['evaluations list --trace x', 1, /traceId/],
  [`reviews extend ${id} soon`, 2, /whole number/],
];

t.test('commands that cannot be done say why', async (t) => {
  const { assize } = await serveCli(t);
  for (const [line, code, err] of refused) t.match(await assize(...line.split(' ')), { code, err }, line);
});
