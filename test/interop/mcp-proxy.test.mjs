import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { rule } from '../helpers/policies.ts';
import { adminKey, folderOf, packageFile, startService } from './service.mjs';

// Public servers behind `assize mcp wrap`, as the clients of both SDKs see them.

const program = join(import.meta.dirname, '../../dist/main.js');
const servers = {
  everything: () => [packageFile('@modelcontextprotocol/server-everything/dist/index.js')],
  filesystem: (folder) => [packageFile('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
  memory: () => [packageFile('@modelcontextprotocol/server-memory/dist/index.js')],
};
const capabilities = { sampling: {}, elicitation: {}, roots: {} };

/** A client of a server, through the proxy where there is a key. */
async function connect(t, name, folder, service = null, { flags = [], sdk = 'v1' } = {}) {
  const [Made, Transport] = sdk === 'v1' ? [Client, StdioClientTransport] : [NewClient, NewStdio];
  const server = servers[name](folder);
  const wrapped = [program, 'mcp', 'wrap', '--name', name, ...flags, '--', process.execPath, ...server];
  const env = { PATH: process.env.PATH, HOME: folder, MEMORY_FILE_PATH: join(folder, 'memory.json') };
  const transport = new Transport({
    command: process.execPath,
    args: service === null ? server : wrapped,
    env: service === null ? env : { ...env, ASSIZE_URL: service.base, ASSIZE_KEY: service.key },
    stderr: 'ignore',
  });
  const client = new Made({ name: 'test', version: '1' }, { capabilities });
  const asked = [];
  if (sdk === 'v1') {
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked.push(['sampling', params]);
      return {
        model: 'm',
        role: 'assistant',
        content: { type: 'text', text: 'the model says ada@example.com' },
      };
    });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(['elicitation', params]);
      return { action: 'accept', content: { name: 'Ada', check: true, email: 'ada@example.com' } };
    });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  }
  await client.connect(transport);
  t.after(() => client.close());
  const call = (tool, args = {}, options = {}) =>
    client.callTool({ name: tool, arguments: args }, undefined, options);
  return { client, call, asked, transport };
}

async function governed(t, document) {
  const service = await startService(t);
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, document);
  return { ...service, key };
}
const on = (phases, document) => document.replace('    when:', `    on: [${phases}]\n    when:`);
const textOf = ({ content }) => content.map(({ text }) => text).join('\n');

for (const sdk of ['v1', 'v2'])
  test(`what the three servers offer and return is the same through the proxy (SDK ${sdk})`, async (t) => {
    const service = await governed(t, rule('false', 'BLOCK'));
    const folder = folderOf(t);
    writeFileSync(join(folder, 'a.txt'), 'hello');
    const calls = {
      everything: [
        ['echo', { message: 'x\u2028y' }],
        ['get-sum', { a: 1, b: 2.5 }],
        ['get-tiny-image'],
        ['get-structured-content', { location: 'Chicago' }],
        ['get-resource-links', { count: 2 }],
        ['no-such-tool'],
        ['echo', { message: 7 }],
      ],
      filesystem: [
        ['read_text_file', { path: join(folder, 'a.txt') }],
        ['read_text_file', { path: '/etc/passwd' }],
        ['list_directory', { path: folder }],
      ],
      memory: [['read_graph'], ['search_nodes', { query: 'x' }]],
    };
    for (const [name, made] of Object.entries(calls)) {
      const direct = await connect(t, name, folder, null, { sdk });
      const proxied = await connect(t, name, folder, service, { sdk });
      const same = async (of) => {
        const [one, other] = await Promise.all(
          [direct, proxied].map((end) => of(end).catch((error) => String(error))),
        );
        assert.deepEqual(other, one);
      };
      assert.deepEqual(proxied.client.getServerCapabilities(), direct.client.getServerCapabilities());
      assert.equal(proxied.client.getInstructions(), direct.client.getInstructions());
      await same(({ client }) => client.listTools());
      await same(({ client }) => client.listResources());
      await same(({ client }) => client.listResourceTemplates());
      await same(({ client }) => client.listPrompts());
      await same(({ client }) => client.ping());
      for (const one of made) await same(({ call }) => call(...one));
      await direct.client.close();
      await proxied.client.close();
    }
  });

test('prompts, resources, completion, progress and logging of the everything server', async (t) => {
  const service = await governed(t, rule('false', 'BLOCK'));
  const folder = folderOf(t);
  const direct = await connect(t, 'everything', folder);
  const proxied = await connect(t, 'everything', folder, service);
  const { prompts } = await direct.client.listPrompts();
  const { resources } = await direct.client.listResources();
  const both = async (of) => {
    const [one, other] = await Promise.all(
      [direct, proxied].map((end) => of(end.client).catch((error) => String(error))),
    );
    const plain = (value) => JSON.stringify(value).replace(/\d{1,2}:\d\d:\d\d[^"\\]*/g, '');
    assert.equal(plain(other), plain(one));
  };
  for (const { name } of prompts)
    await both((client) =>
      client.getPrompt({
        name,
        arguments: {
          city: 'Paris',
          department: 'Engineering',
          name: 'x',
          resourceType: 'Text',
          resourceId: '1',
        },
      }),
    );
  for (const { uri } of resources.slice(0, 5)) await both((client) => client.readResource({ uri }));
  await both((client) =>
    client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    }),
  );
  const progress = [];
  await proxied.call(
    'trigger-long-running-operation',
    { duration: 1, steps: 3 },
    { onprogress: (one) => progress.push(one.progress) },
  );
  assert.deepEqual(progress, [1, 2, 3]);
});

test('a blocked call does nothing, a held one passes once after its approval, a rejected one never', async (t) => {
  const service = await governed(
    t,
    `
schemaVersion: 1
name: files
rules:
  - id: no-edit
    when: mcp.server == "filesystem" && mcp.tool == "edit_file"
    effect: BLOCK
  - id: ask
    when: tool == "mcp__filesystem__write_file"
    effect: APPROVAL_REQUIRED
`,
  );
  const folder = folderOf(t);
  const { call } = await connect(t, 'filesystem', folder, service);
  const path = join(folder, 'b.txt');
  const write = () => call('write_file', { path, content: 'x' });
  assert.match(textOf(await call('edit_file', { path, edits: [] })), /^Assize: blocked by policy/);
  const held = await write();
  assert.equal(held.isError, true);
  assert.match(textOf(held), /waiting for approval/);
  assert.equal((await call('read_text_file', { path })).isError, true, 'nothing was written');
  const decide = async (verb) => {
    const { body } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
    await service.call(adminKey, 'POST', `/v1/reviews/${body.data[0].id}/${verb}`, {});
  };
  await decide('approve');
  assert.match(textOf(await write()), /Successfully wrote/);
  assert.match(textOf(await write()), /waiting for approval/);
  await decide('reject');
  assert.match(textOf(await write()), /rejected by a reviewer/);
});

test('a wait for a reviewer keeps a client that asks for progress', async (t) => {
  const service = await governed(t, rule('mcp.tool == "echo"', 'APPROVAL_REQUIRED'));
  const { call } = await connect(t, 'everything', folderOf(t), service, { flags: ['--on-hold', 'wait'] });
  let told = '';
  const waiting = call(
    'echo',
    { message: 'hi' },
    { onprogress: ({ message }) => (told = message), resetTimeoutOnProgress: true },
  );
  for (;;) {
    const { body } = await service.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
    if (body.data.length > 0 && told !== '') {
      await service.call(adminKey, 'POST', `/v1/reviews/${body.data[0].id}/approve`, {});
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.match(textOf(await waiting), /Echo: hi/);
  assert.match(told, /waiting for approval \(review /);
});

test('a result is withheld, or masked, and a picture is not', async (t) => {
  const folder = folderOf(t);
  writeFileSync(join(folder, 'mail.txt'), 'write to ada@example.com');
  const service = await governed(
    t,
    on('RESULT', rule('dataTags.exists(tag, tag == "EMAIL_ADDRESS")', 'BLOCK')),
  );
  const { call } = await connect(t, 'filesystem', folder, service);
  const path = join(folder, 'mail.txt');
  const withheld = await call('read_text_file', { path });
  assert.equal(withheld.isError, true);
  assert.doesNotMatch(JSON.stringify(withheld), /ada@/);
  const open = await governed(t, rule('false', 'BLOCK'));
  const masked = await connect(t, 'filesystem', folder, open, { flags: ['--mask'] });
  const shown = await masked.call('read_text_file', { path });
  assert.notEqual(shown.isError, true);
  assert.match(textOf(shown), /^write to /);
  assert.doesNotMatch(JSON.stringify(shown), /ada@/);
  const everything = await connect(t, 'everything', folder, open, { flags: ['--mask'] });
  const picture = (await everything.call('get-tiny-image')).content.find(({ type }) => type === 'image');
  assert.match(picture.data, /^iVBOR/);
});

test('what the server asks of the model and of the person is evaluated', async (t) => {
  const allowed = await governed(t, rule('false', 'BLOCK'));
  const free = await connect(t, 'everything', folderOf(t), allowed);
  await free.call('trigger-sampling-request', { prompt: 'hi', maxTokens: 10 });
  await free.call('trigger-elicitation-request');
  assert.deepEqual(
    free.asked.map(([kind]) => kind),
    ['sampling', 'elicitation'],
  );
  const { body } = await allowed.call(allowed.key, 'GET', '/v1/evaluation-sessions');
  const path = `/v1/evaluation-sessions/${body.data[0].id}/evaluations?size=100`;
  const { body: evaluations } = await allowed.call(allowed.key, 'GET', path);
  const names = evaluations.data.filter(({ phase }) => phase === 'ACTION').map(({ tool }) => tool);
  assert.deepEqual(names.reverse(), [
    'mcp__everything__trigger-sampling-request',
    'mcp__everything__sampling/createMessage',
    'mcp__everything__trigger-elicitation-request',
    'mcp__everything__elicitation/create',
  ]);
  const closed = await governed(
    t,
    rule('mcp.tool in ["sampling/createMessage", "elicitation/create"]', 'BLOCK'),
  );
  const stopped = await connect(t, 'everything', folderOf(t), closed);
  const result = await stopped
    .call('trigger-sampling-request', { prompt: 'hi', maxTokens: 10 })
    .catch((error) => ({ content: [{ text: String(error) }] }));
  assert.match(textOf(result), /blocked by policy/);
  await stopped.call('trigger-elicitation-request');
  assert.deepEqual(stopped.asked, []);
});
