import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type Lifetime, temporaryFolder } from './app.ts';

/** A redis-server that keeps nothing, ready to be asked. */
export async function startRedis(t: Lifetime, port: number): Promise<ChildProcess> {
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--dir', temporaryFolder(t)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  let told = '';
  for await (const text of server.stdout ?? []) {
    told += text;
    if (told.includes('Ready to accept connections')) break;
  }
  return server;
}

/** The first line of the answer to one command. */
export async function askRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${command}\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer).split('\r\n')[0] ?? '';
}

/** A peer that speaks the protocol of Redis, is ready, and answers each script by what `answer` returns, as it goes over the wire. */
export async function respServer(
  t: Lifetime,
  answer: () => string,
): Promise<{ port: number; counted: () => number }> {
  let counted = 0;
  const info = 'redis_version:7.0.0';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let unread = '';
    socket.setEncoding('latin1').on('data', (text) => {
      unread += text;
      for (;;) {
        const [command, rest] = readCommand(unread);
        if (command === null) break;
        unread = rest;
        const name = command[0]?.toLowerCase();
        if (name?.startsWith('eval')) {
          counted += 1;
          socket.write(answer());
        } else socket.write(name === 'info' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, counted: () => counted };
}

/** The first whole command, and what follows it; null while it is not whole. */
function readCommand(text: string): [string[] | null, string] {
  const [head, count] = /^\*(\d+)\r\n/.exec(text) ?? [];
  if (head === undefined) return [null, text];
  const words: string[] = [];
  let place = head.length;
  for (let i = 0; i < Number(count); i += 1) {
    const [size, length] = /^\$(\d+)\r\n/.exec(text.slice(place)) ?? [];
    if (size === undefined) return [null, text];
    const end = place + size.length + Number(length);
    if (text.length < end + 2) return [null, text];
    words.push(text.slice(place + size.length, end));
    place = end + 2;
  }
  return [words, text.slice(place)];
}
