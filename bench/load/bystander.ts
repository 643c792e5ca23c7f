import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { callOf } from './tool-calls.ts';

// A caller that does nobody any harm, in a process of its own: 300-byte evaluations over two connections, a pause after
// each. Arguments: URL and key. Sends its parent what it saw since it was last asked.

/** What came back: milliseconds of each response, and how many had a status other than 200. */
export interface Seen {
  ms: number[];
  refused: number;
  failed: number;
}

const [url = '', key = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 2 });
let seen: Seen = { ms: [], refused: 0, failed: 0 };
let place = 0;

function evaluate(): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${url}/v1/evaluate`, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(JSON.stringify({ input: callOf(place++) }));
  });
}

async function go(): Promise<never> {
  for (;;) {
    const begun = performance.now();
    try {
      const status = await evaluate();
      if (status === 503) seen.refused++;
      else if (status !== 200) seen.failed++;
    } catch {
      seen.failed++;
    }
    seen.ms.push(performance.now() - begun);
    await setTimeout(4);
  }
}

process.on('message', () => {
  process.send?.(seen);
  seen = { ms: [], refused: 0, failed: 0 };
});
process.once('disconnect', () => process.exit());
void go();
void go();
