import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';

// also on PostgreSQL

async function start(t: Test, settings: object = {}) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', settings);
  const url = `/v1/integrations/${id}/tools`;
  const evaluate = async (input: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input })).body.data;
  return {
    app,
    url,
    evaluate,
    /** The statistics count what was recorded, at the latest when they are read. */
    async read() {
      await app.call(adminKey, 'GET', '/v1/stats');
      return (await app.call(adminKey, 'GET', url)).body.data;
    },
  };
}

const mail = { to: ['ann@example.com'], message: { body: 'a secret', size: 12 }, urgent: true };
const mailSchema = {
  properties: {
    to: { items: { anyOf: [{ type: 'string' }, {}] } },
    message: {
      properties: { body: { anyOf: [{ type: 'string' }, {}] }, size: { anyOf: [{ type: 'number' }, {}] } },
    },
    urgent: {},
  },
};

t.test('the catalogue names the tools that were called and that it does not have', async (t) => {
  const { app, url, evaluate, read } = await start(t);
  const tools = [{ name: 'kb.search', aliases: ['mcp__kb__search'], effect: 'READ' }];
  await app.call(adminKey, 'PUT', url, { tools });
  const other = await app.integration('AGENT');
  await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'of.another' } });
  for (const tool of ['kb.search', 'mcp__kb__search', 'tickets.list', 'mail.send', 'mail.send'])
    await evaluate({ tool, arguments: tool === 'mail.send' ? mail : {} });
  const { undescribed } = await read();
  t.strictSame(undescribed, [
    { name: 'mail.send', calls: 2, inputSchema: mailSchema },
    { name: 'tickets.list', calls: 1, inputSchema: { properties: {} } },
  ]);

  const { body } = await app.call(adminKey, 'POST', `${url}/import`, { tools: undescribed });
  t.match(body.data, {
    tools: [{}, { effect: 'EXTERNAL', destinations: ['to'], content: ['message.body'] }, { effect: 'READ' }],
    refused: [],
  });
  t.strictSame((await read()).undescribed, []);
  const differs = await evaluate({ tool: 'mail.send', arguments: { to: 5, message: 'text', more: {} } });
  t.strictSame([differs.enforcementAction, differs.violations], ['ALLOW', []], 'one call binds no other one');
});

t.test('an event tells once of each tool that is called and not in a catalogue', async (t) => {
  const { app, url, evaluate } = await start(t);
  const told = async () => {
    const { body } = await app.call(
      adminKey,
      'GET',
      '/v1/events?type=tool.undescribed&after=0&size=200',
      undefined,
      {
        accept: 'application/json',
      },
    );
    return body.data.events.map(({ data }: { data: { tool: string } }) => data.tool);
  };
  await evaluate({ tool: 'too.early' });
  await app.call(adminKey, 'PUT', url, { tools: [{ name: 'kb.search', effect: 'READ' }] });
  for (const tool of [
    'kb.search',
    'tickets.list',
    'mail.send',
    'Tickets.List',
    'tickets.list',
    'write to ann@example.com',
  ])
    await evaluate({ tool });
  await evaluate({ text: 'no tool' });
  t.strictSame(await told(), ['tickets.list', 'mail.send', 'Tickets.List', 'write to [EMAIL_ADDRESS]']);
  for (let made = 0; made < 120; made++) await evaluate({ tool: `made.up.${made}` });
  t.equal((await told()).length, 100, 'names that a caller makes up do not fill the log');
});

t.test('without kept content only the names of tools are known', async (t) => {
  const { evaluate, read } = await start(t, { contentRetention: 'none' });
  await evaluate({ tool: 'mail.send', arguments: mail });
  t.strictSame((await read()).undescribed, [{ name: 'mail.send', calls: 1 }]);
});

t.test('after 30 days a call is forgotten', async (t) => {
  const { app, evaluate, read } = await start(t);
  await evaluate({ tool: 'mail.send', arguments: mail });
  t.equal((await read()).undescribed.length, 1);
  app.clock.advance(31 * 86_400_000);
  t.strictSame((await read()).undescribed, []);
});
