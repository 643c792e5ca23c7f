import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { createAssizeClient } from '../../client/client.ts';
import { parseForWriting } from '../../json/parse.ts';
import { otherSide, type Side } from '../../mcp-proxy/methods.ts';
import { createProxy } from '../../mcp-proxy/proxy.ts';
import type { ToolList } from '../../mcp-proxy/tool-list.ts';
import { readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import { type ServerFlags, serverOf } from '../hook/command-line.ts';
import { type Io, printable } from '../io.ts';
import { createQuickFetch } from '../quick-fetch.ts';
import { createEvaluator } from './evaluator.ts';
import { LineReader } from './lines.ts';

export interface WrapFlags extends ServerFlags {
  name?: string;
  session?: string;
  onHold: 'deny' | 'wait';
  waitSeconds: number;
  limitMs: number;
  maxBytes: number;
  mask: boolean;
  tools: ToolList;
  config?: string;
}

/** Longest response of the service: only a masked result comes near it. */
const mostResponseBytes = 16 * 1_048_576;
/** A server that ignores the end of its input is ended after this long. */
const patienceMs = 3_000;

/** Stands between a client, on standard input and output, and an MCP server that it starts; returns the server's exit code. */
export async function wrap(
  [program = '', ...args]: readonly string[],
  flags: WrapFlags,
  io: Io,
): Promise<number> {
  const server = serverOf(flags);
  if (!server.key)
    throw new Exit(exitCodes.wrongUse, 'no key: set ASSIZE_KEY, or put it into the file named by --config');
  const name = flags.name ?? nameOf(program, args);
  checkName(name);
  const log = (line: string) => void io.stderr.write(`assize: ${printable(line)}\n`);
  const client = createAssizeClient({
    url: server.url,
    apiKey: server.key,
    retryDelayMs: 50,
    parseJson: parseForWriting,
    fetch: createQuickFetch({
      tls: readClientTls(server) ?? {},
      mostBytes: mostResponseBytes,
      keepsAlive: true,
    }),
  });
  const proxy = createProxy({
    server: name,
    evaluator: createEvaluator(client, {
      server: name,
      conversation: flags.session ?? conversationOf(name),
      limitMs: flags.limitMs,
    }),
    waitMs: flags.onHold === 'wait' ? flags.waitSeconds * 1_000 : 0,
    masks: flags.mask,
    toolList: flags.tools,
    log,
  });
  const { env } = process;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: withoutOurs(env),
  });
  const ends: Record<Side, Writable> = { client: process.stdout, server: child.stdin as Writable };
  const write = (side: Side) => (text: string) => void ends[side].write(`${text}\n`);

  async function relay(from: Side, stream: Readable): Promise<void> {
    const lines = new LineReader(flags.maxBytes);
    const [back, on] = [write(from), write(otherSide(from))];
    for await (const chunk of stream) {
      for (const line of lines.read(chunk as Uint8Array)) {
        if (typeof line === 'string') {
          void proxy.receive(from, line, back).then((text) => text !== null && on(text));
        } else {
          const text = proxy.refuse(from, line, back);
          if (text !== null) on(text);
        }
      }
      // A reader that is slower than the other end's writer.
      const slow = ends[otherSide(from)];
      if (slow.writableNeedDrain) await drained(slow);
    }
  }

  for (const end of Object.values(ends)) end.on('error', () => undefined);
  const code = exitOf(child);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const fromServer = relay('server', child.stdout as Readable).catch(() => undefined);
  const fromClient = relay('client', process.stdin).catch(() => undefined);
  void fromClient.then(() => {
    child.stdin?.end();
    setTimeout(() => child.kill(), patienceMs).unref();
  });
  try {
    const ended = await code;
    await fromServer;
    proxy.lost('server', 'the server has ended', write('client'));
    return ended;
  } finally {
    process.stdin.destroy();
  }
}

const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    stream.once('drain', resolve);
    stream.once('close', resolve);
  });

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(new Exit(exitCodes.failed, `the server cannot be started: ${error.message}`)),
    );
    child.on('exit', (code) => resolve(code ?? exitCodes.failed));
  });
}

/** The server needs neither the key nor the address of the service. */
const withoutOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ASSIZE_')));

/** A name that nobody gave: that of the package or program. */
function nameOf(program: string, args: readonly string[]): string {
  const words = [program, ...args].map((word) => word.replace(/@[\d.^~a-z-]*$/, ''));
  const said = /(?:^|[\\/])(?:npx|uvx|bunx|pnpx|node|python3?|uv|docker|deno|bun)(?:\.exe)?$/.test(program)
    ? (words.slice(1).find((word) => /^[@\w]/.test(word) && !/^(?:run|exec|tool|dlx)$/.test(word)) ?? program)
    : program;
  const base = said.split(/[\\/]/).at(-1) ?? said;
  return base
    .replace(/\.(?:m?js|ts|py|exe)$/, '')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
}

/** Two servers must not have one name in rules: `mcp__a__b__c` would be a tool of `a` and of `a__b`. */
function checkName(name: string): void {
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]|_(?!_)){0,63}$/.test(name) || name.endsWith('_'))
    throw new Exit(
      exitCodes.wrongUse,
      `--name ${printable(name)}: must be 1 to 64 letters, digits, dots, hyphens or single low lines, and begin with a letter or digit`,
    );
}

/**
 * The servers of one client share a session: a rule sees that what one of them read is sent by another. The client is the process
 * that started this one; where it cannot be told from a later one of the same number, each connection has its own session.
 */
function conversationOf(name: string): string {
  const parent = process.ppid;
  const started = parent > 1 ? startOf(parent) : null;
  if (started === null) return `mcp-${name}-${randomUUID()}`;
  return `mcp-client-${hash('sha256', [hostname(), parent, started].join('\n')).slice(0, 32)}`;
}

/** When a process started; null where the system does not say it in a file. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name of the program, in parentheses, may hold spaces.
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}
