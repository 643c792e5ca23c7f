import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssizeClient, createGate } from '../src/client/index.ts';
import { startServer } from './load/server.ts';
import { isShort, missBar } from './measure.ts';

// What the gate adds to the evaluation that it makes, against a server on this machine: npm run bench -- gate
// Calls of the client and of the gate alternate. Fails when the median of the differences is above the limit.
const [calls, warmUp] = isShort ? [2, 1] : [400, 100];
const mostAddedMs = 1;

const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
});
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
try {
  const client = createAssizeClient({ url: server.url, apiKey: await server.demoKey() });
  const { id: sessionId } = await client.sessions.create();
  const gate = createGate({ client, sessionId });
  const time = async (work: () => Promise<unknown>) => {
    const from = performance.now();
    await work();
    return performance.now() - from;
  };
  const [direct, gated]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call++) {
    const input = { query: `the weather of day ${call}`, note: 'one line of text. '.repeat(12) };
    const alone = await time(() =>
      client.evaluate({ input: { tool: 'web.search', arguments: input }, sessionId }),
    );
    const through = await time(() => gate({ tool: 'web.search', input }));
    if (call < warmUp) continue;
    direct.push(alone);
    gated.push(through);
  }
  const added = median(gated) - median(direct);
  console.log(
    `median of ${calls - warmUp}, in ms: evaluate ${median(direct).toFixed(2)}, gate ${median(gated).toFixed(2)}`,
  );
  console.log(
    `${added <= mostAddedMs ? 'ok  ' : 'FAIL'} the gate adds ${added.toFixed(2)} ms, at most ${mostAddedMs}`,
  );
  if (added > mostAddedMs) missBar();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
