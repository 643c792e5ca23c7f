import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';

const text = { type: 'string' };
/** Nothing in their names or schemas says which argument says where something goes. */
const tools = [
  {
    name: 'create_call',
    inputSchema: { properties: { who: { properties: { value: text } }, n: text, more: { items: text } } },
  },
  { name: 'get_page', inputSchema: { properties: { what: text, n: text } } },
];

async function start(t: Test) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(
    id,
    `
schemaVersion: 1
name: shown
rules:
  - id: shown
    when: tool != ""
    effect: WARN
    message: "{{destinations}}"
`,
  );
  const url = `/v1/integrations/${id}/tools`;
  await app.call(adminKey, 'POST', `${url}/import`, { tools });
  const goesTo = async (tool: string, args: unknown): Promise<string> => {
    const input = { tool, arguments: args };
    return (await app.call(key, 'POST', '/v1/evaluate', { input })).body.data.violations[0].message;
  };
  return { app, url, goesTo };
}

t.test('of a proposed tool every argument that is an address says where it goes', async (t) => {
  const { goesTo } = await start(t);
  for (const value of [
    'ann@example.com',
    'Ann Smith <ann@example.com>',
    'mailto:ann@example.com',
    '+49 170 1234567',
    'https://example.com/hook?x=1',
    'redis://user:pass@cache.example:6379/0',
    'DE89 3704 0044 0532 0130 00',
    'US133000000121212121212',
    `0x${'aB'.repeat(20)}`,
  ]) {
    t.equal(await goesTo('create_call', { who: { value } }), value);
    t.equal(await goesTo('create_call', { n: 'x', more: ['y', value] }), value);
  }
  for (const value of [
    'ann',
    'write to ann@example.com',
    '2030-01-01',
    '+1',
    '0170 1234567',
    'see https://example.com',
    'ab12cdefcdefcdefcdef',
    'a/b',
    '0x12',
  ])
    t.equal(await goesTo('create_call', { who: { value } }), '', value);
  t.equal(await goesTo('create_call', { who: { value: 'a@b.example' }, n: 'a@b.example' }), 'a@b.example');
});

t.test('a proposed tool that reads goes to URLs alone', async (t) => {
  const { goesTo } = await start(t);
  t.equal(await goesTo('get_page', { what: 'ann@example.com', n: '+49 170 1234567' }), '');
  t.equal(await goesTo('get_page', { what: 'https://example.com/a' }), 'https://example.com/a');
});

t.test('what an operator confirmed is all there is', async (t) => {
  const { app, url, goesTo } = await start(t);
  const { body } = await app.call(adminKey, 'GET', url);
  const confirmed = body.data.tools.map(({ name, effect }: { name: string; effect: string }) => ({
    name,
    effect,
    destinations: name === 'create_call' ? ['n'] : [],
  }));
  t.equal((await app.call(adminKey, 'PUT', url, { tools: confirmed })).status, 200);
  t.equal(await goesTo('create_call', { who: { value: 'ann@example.com' }, n: 'bob' }), 'bob');
  t.equal(await goesTo('get_page', { what: 'https://example.com/a' }), '');
});

t.test('arguments that cannot be read are an error of the rule', async (t) => {
  const { goesTo } = await start(t);
  t.match(await goesTo('create_call', '{"who'), /could not be evaluated|not (?:a )?JSON|cannot be read/);
});
