import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { integrationWith, type Scenario, type Target } from './scenarios.ts';
import { sessionBodies } from './tool-calls.ts';

/** What an operator does beside the load, and how much of it: it ends with the process. */
export interface OperatorsSide {
  delivered: number;
  read: number;
  calls: number;
}

/** A webhook and a reader of the event log, both of every type of event, and a recorded call of an operator twice a second. */
export async function watchEverything({ url, adminKey }: Target): Promise<OperatorsSide> {
  const done: OperatorsSide = { delivered: 0, read: 0, calls: 0 };
  const authorization = `Bearer ${adminKey}`;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      done.delivered++;
      response.writeHead(204).end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  receiver.unref();
  const { port } = receiver.address() as AddressInfo;
  const webhook = { name: 'bench', format: 'EVENTS', url: `http://127.0.0.1:${port}/`, types: ['*'] };
  const headers = { authorization, 'content-type': 'application/json' };
  const made = await fetch(`${url}/v1/webhooks`, { method: 'POST', headers, body: JSON.stringify(webhook) });
  if (!made.ok) throw new Error(await made.text());

  const events = await fetch(`${url}/v1/events`, { headers: { authorization, accept: 'text/event-stream' } });
  const { body } = events;
  if (!body) throw new Error(`events: ${events.status}`);
  void untilItEnds(async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream()))
      done.read += text.split('data: {').length - 1;
  });

  const lists = `${url}/v1/lists`;
  setInterval(() => {
    const list = JSON.stringify({ name: `bench${done.calls++}`, kind: 'OTHER' });
    void untilItEnds(async () => (await fetch(lists, { method: 'POST', headers, body: list })).arrayBuffer());
  }, 500).unref();
  return done;
}

/** The service ends before this process does, and the measurement with it. */
const untilItEnds = (work: () => Promise<unknown>): Promise<unknown> => work().catch(() => undefined);

/** The load of mixed sessions, of which one action in 56 is warned of. */
export async function prepareWarned(
  target: Target,
  { sessions, connections }: { sessions: number; connections: number },
): Promise<Scenario> {
  const when = 'tool == "web.search" && input.arguments.limit == 16';
  const key = await integrationWith(target, [{ id: 'some', when, effect: 'WARN' }]);
  const bodies = await sessionBodies(target.url, key, sessions);
  return { name: 'one warning in 56', connections, key, bodies };
}
