import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { type AssizeClient, createAssizeClient } from '../../client/client.ts';
import { AssizeError } from '../../client/error.ts';
import { inRequests } from '../../features/tools/told-tools.ts';
import { parseForWriting } from '../../json/parse.ts';
import type { Evaluator, SeenTool } from '../../mcp-proxy/judge.ts';
import { type Id, MessageError, rpcCodes } from '../../mcp-proxy/message.ts';
import { otherSide, type Side } from '../../mcp-proxy/methods.ts';
import { createProxy } from '../../mcp-proxy/proxy.ts';
import type { ToolList } from '../../mcp-proxy/tool-list.ts';
import { readClientTls } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import { type ServerFlags, serverOf } from '../hook/command-line.ts';
import { findSession } from '../hook/conversation.ts';
import { type Io, printable } from '../io.ts';
import { createQuickFetch } from '../quick-fetch.ts';

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

/** Evaluates calls of an MCP server in the session of one conversation, which the first evaluation finds or opens. */
export function createEvaluator(
  client: AssizeClient,
  { server, conversation, limitMs }: { server: string; conversation: string; limitMs: number },
): Evaluator {
  let session: Promise<string> | null = null;
  const sessionOf = (signal: AbortSignal) => {
    session ??= findSession(client, conversation, 'mcp-proxy', signal).catch((error) => {
      session = null;
      throw error;
    });
    return session;
  };

  return {
    async evaluate(request, { redact, signal: cancelled }) {
      const limit = AbortSignal.timeout(limitMs);
      const signal = cancelled === undefined ? limit : AbortSignal.any([limit, cancelled]);
      const options = { signal, ...(redact && { redact }) };
      try {
        // The session of a RESULT is that of its action.
        if (request.phase === 'RESULT') return await client.evaluate(request, options);
        const ask = async (sessionId: string) => client.evaluate({ ...request, sessionId }, options);
        // One limit for both: another call of the same moment waits for the session as well.
        const before = session;
        try {
          return await ask(await sessionOf(limit));
        } catch (error) {
          if (before === null || !isGone(error)) throw error;
          if (session === before) session = null;
          const { reviewRequestId: _, ...again } = request;
          return await client.evaluate({ ...again, sessionId: await sessionOf(limit) }, options);
        }
      } catch (error) {
        if (limit.aborted) throw new Error(`no response from the service within ${limitMs} ms`);
        throw error;
      }
    },

    async see(tools) {
      const signal = AbortSignal.timeout(limitMs);
      const seen: SeenTool[] = [];
      for (const some of inRequests(tools))
        seen.push(
          ...(await client.seeTools({ server, externalSessionId: conversation, tools: some }, { signal }))
            .tools,
        );
      return seen;
    },

    async waitForReview(id, ms, signal) {
      try {
        return await client.reviews.waitFor(id, { timeoutMs: ms, signal });
      } catch (error) {
        if (error instanceof AssizeError && error.code === 'timeout') return null;
        throw error;
      }
    },
  };
}

/** The session ended or expired, or the database is another one. */
const isGone = (error: unknown): boolean =>
  error instanceof AssizeError && (error.code === 'conflict' || error.code === 'not_found');

/** A line that is a message, or why it is none. */
export type Line = string | MessageError;

const newline = 0x0a;

/**
 * Divides what a stream brings into lines. A line beyond the limit is not kept: of it, only the id is read, so that nobody waits
 * for ever for what was asked or answered in it.
 */
class LineReader {
  readonly #mostBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #oversized: EnvelopeScanner | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The lines that end in this chunk. */
  *read(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      const line = this.#end();
      if (line !== null) yield line;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes && this.#oversized === null) {
      this.#oversized = new EnvelopeScanner();
      for (const kept of this.#parts) this.#oversized.scan(kept);
      this.#parts = [];
    }
    if (this.#oversized !== null) this.#oversized.scan(part);
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Null for an empty line. */
  #end(): Line | null {
    const [parts, oversized] = [this.#parts, this.#oversized];
    this.#parts = [];
    this.#bytes = 0;
    this.#oversized = null;
    if (oversized !== null) {
      const message = `the message is larger than ${this.#mostBytes} bytes`;
      return new MessageError(rpcCodes.invalidRequest, message, oversized.id, !oversized.hasMethod);
    }
    const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    try {
      const text = this.#decoder.decode(bytes);
      return text.trim() === '' ? null : text;
    } catch {
      return new MessageError(rpcCodes.parse, 'the message is not UTF-8');
    }
  }
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const longestKept = 300;

/** Finds the id in a message that is not kept. */
class EnvelopeScanner {
  id: Id | null = null;
  hasMethod = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #key = '';
  /** The part of the outermost object that was read since its last comma or colon. */
  #token = '';

  scan(bytes: Uint8Array): void {
    for (const byte of bytes) this.#step(byte);
  }

  #step(byte: number): void {
    if (this.#depth === 1 && this.#token.length < longestKept) this.#token += String.fromCharCode(byte);
    if (this.#inString) this.#stepInString(byte);
    else if (byte === quote) this.#inString = true;
    else if (opening.has(byte)) {
      this.#depth++;
      if (this.#depth === 1) this.#token = '';
    } else {
      if (this.#depth === 1) this.#stepInEnvelope(byte);
      if (closing.has(byte)) this.#depth--;
    }
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #stepInEnvelope(byte: number): void {
    if (byte === colon) {
      this.#key = this.#token.slice(0, -1).trim();
      this.hasMethod ||= this.#key === '"method"';
      this.#token = '';
    } else if (byte === comma || closing.has(byte)) {
      if (this.#key === '"id"') this.#readId(this.#token.slice(0, -1));
      this.#token = '';
    }
  }

  #readId(text: string): void {
    try {
      const id: unknown = JSON.parse(text);
      this.id = typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : null;
    } catch {
      this.id = null;
    }
  }
}
