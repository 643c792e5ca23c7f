import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { callOf } from './tool-calls.ts';

// One key that takes all it can get, in a process of its own, behind the others for the cores that they share: an attacker
// has its own. Arguments: the attack, URL, key and seconds. Sends its parent how often each status came back.

const [attack = '', url = '', key = '', seconds = '5'] = process.argv.slice(2);
setPriority(19);
const { hostname, port } = new URL(url);
const until = performance.now() + Number(seconds) * 1_000;
const line = 'one line of an ordinary report, with order 4711 and nothing else to find in it. ';
const bodyOf = (bytes: number) =>
  Buffer.from(
    JSON.stringify({ input: { ...callOf(1), lines: Array(Math.ceil(bytes / 85)).fill(line) } }).padEnd(bytes),
  );
const large = bodyOf(1_000_000);
const small = bodyOf(1_000);
const statuses: Record<string, number> = {};

/** One request on a connection of its own; `missing` bytes of its body are never sent. */
function send(body: Buffer, missing = 0): { answered: Promise<void>; socket: Socket } {
  const socket = connect(Number(port), hostname);
  const answered = new Promise<void>((resolve) => {
    const done = (status: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      socket.destroy();
      resolve();
    };
    socket.once('data', (data) => done(data.toString('latin1', 9, 12)));
    socket.once('error', () => done('no answer'));
    socket.once('end', () => done('no answer'));
  });
  socket.write(
    `POST /v1/evaluate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
  );
  socket.write(missing === 0 ? body : body.subarray(0, body.length - missing));
  return { answered, socket };
}

/** So many connections that each send again as soon as they are answered. */
const loop = (connections: number, body: Buffer) =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) await send(body).answered;
    }),
  );

async function held(): Promise<void> {
  const open = Array.from({ length: 64 }, () => send(large, 1));
  await setTimeout(until - performance.now());
  for (const { socket } of open) socket.destroy();
}

async function bursts(): Promise<void> {
  while (performance.now() < until) {
    await Promise.all([...Array.from({ length: 500 }, () => send(small).answered), setTimeout(250)]);
  }
}

/** 64 connections that stay open, each sending again as soon as it is answered. */
async function rate(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = () =>
    new Promise<void>((resolve) => {
      const done = (status: string) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        resolve();
      };
      const sent = request(`${url}/v1/evaluate`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', () => done(String(response.statusCode)));
      });
      sent.once('error', () => done('no answer')).end(small);
    });
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (performance.now() < until) await ask();
    }),
  );
  agent.destroy();
}

const attacks: Record<string, () => Promise<unknown>> = {
  flood: () => Promise.all(Array.from({ length: 2_000 }, () => send(large).answered)),
  loop: () => loop(64, large),
  held,
  bursts,
  rate,
};
await attacks[attack]?.();
process.send?.(statuses);
process.disconnect?.();
