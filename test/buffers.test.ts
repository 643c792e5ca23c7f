import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { adminKey, temporaryFolder } from './helpers/app.ts';
import { program, serveProcess } from './helpers/process.ts';
import { startReceiver } from './services/callbacks/receiver.ts';

/** V8 says with it when code makes it give up an assumption, for the rest of the process. */
const traced = '--trace-protector-invalidation';
const givenUp = /ArrayBufferDetaching/;
/** A response on the busiest machine. */
const mostMs = 60_000;

t.test('V8 tells when the first buffer is detached', async (t) => {
  const run = (code: string) => execFileSync(process.execPath, [traced, '-e', code], { encoding: 'utf8' });
  t.match(run('new ArrayBuffer(8).transfer()'), givenUp);
  t.notMatch(run('new ArrayBuffer(8).slice()'), givenUp);
});

t.test(
  'nothing the service does detaches a buffer: every look at a byte would cost more (ADR 0019)',
  async (t) => {
    const receiver = await startReceiver((_, response) => response.end());
    t.teardown(() => receiver.close());
    const served = serveProcess(
      t,
      {
        ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db'),
        ASSIZE_ADMIN_KEY: adminKey,
        ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
      },
      { args: [traced, program] },
    );
    const url = await served.url();
    const [demoKey = ''] = /asz_live_\S+/.exec(await served.firstKeys()) ?? [];
    const post = async (path: string, key: string, body: unknown) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const signal = AbortSignal.timeout(mostMs);
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const response = await fetch(url + path, request).catch((cause: unknown) => {
        throw new Error(`${path}: ${served.stdout()}${served.stderr()}`, { cause });
      });
      t.ok(response.ok, path);
      return response.text();
    };

    const seen = JSON.parse(await post('/v1/evaluate', demoKey, { input: { text: 'jane@example.com' } }));
    const { sessionId } = seen.data;
    // Scanned in a thread.
    await post('/v1/evaluate', demoKey, { sessionId, input: { text: 'Hello '.repeat(20_000) } });
    const callbackUrl = `http://127.0.0.1:${receiver.port}/`;
    const leaves = { sessionId, callbackUrl, input: { tool: 'email.send', text: 'Hello' } };
    const held = JSON.parse(await post('/v1/evaluate', demoKey, leaves));
    await post(`/v1/reviews/${held.data.reviewRequestId}/approve`, adminKey, {});
    while (receiver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

    const server = await post('/v1/integrations', adminKey, { name: 'tools', kind: 'MCP_SERVER' });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    t.match(await post('/v1/mcp', JSON.parse(server).data.apiKey, list), /get_session/);

    await served.stop();
    t.notMatch(served.stdout() + served.stderr(), givenUp);
  },
);
