import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server as HttpServer, ServerOptions } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';

export interface TlsFiles {
  cert: string;
  key: string;
  /** Null: clients need no certificate. */
  clientCa: string | null;
}

/** The contents of the files, as Node's TLS takes them. */
export type TlsContents = Pick<SecureContextOptions, 'cert' | 'key' | 'ca'>;

/** How often the files are looked at, in milliseconds. */
const lookEveryMs = 10_000;

/** Throws, naming the setting, when a file cannot be read or used, or certificate and key do not belong together. */
export async function readTlsFiles({ cert, key, clientCa }: TlsFiles): Promise<TlsContents> {
  const contents = {
    cert: await read('ASSIZE_TLS_CERT', cert),
    key: await read('ASSIZE_TLS_KEY', key),
    ...(clientCa !== null && { ca: await read('ASSIZE_TLS_CLIENT_CA', clientCa) }),
  };
  // Node takes an empty text as if the option were absent: no certificate at all, or the authorities of the system.
  check('ASSIZE_TLS_CERT', () => new X509Certificate(contents.cert));
  check('ASSIZE_TLS_KEY', () => createPrivateKey(contents.key));
  const { ca } = contents;
  if (ca !== undefined) check('ASSIZE_TLS_CLIENT_CA', () => new X509Certificate(ca));
  check('ASSIZE_TLS_CERT and ASSIZE_TLS_KEY', () => createSecureContext(contents));
  return contents;
}

async function read(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: cannot be read: ${(error as Error).message}`);
  }
}

function check(setting: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new Error(`${setting}: cannot be used: ${(error as Error).message}`);
  }
}

export interface TlsReload {
  /** Looks at the files now. */
  look(): Promise<void>;
  start(): void;
  stop(): void;
}

/**
 * Lets a server go on with other certificates when the files change. While they cannot be used, as between the replacement of
 * one and of the other, it goes on with those that it has; that is told once for each content. `busyMs`: how long a connection that
 * other authorities let in may still be busy, in milliseconds.
 */
export function createTlsReload(
  server: HttpServer,
  files: TlsFiles,
  first: TlsContents,
  tell: { reloaded(): void; failed(error: Error): void },
  busyMs = 30_000,
): TlsReload {
  const connections = trackConnections(server, busyMs);
  let current = first;
  let failure = '';
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      const contents = await readTlsFiles(files);
      failure = '';
      if (isDeepStrictEqual(contents, current)) return;
      const otherAuthorities = contents.ca !== current.ca;
      current = contents;
      if (!(server instanceof HttpsServer)) throw new Error('the server does not speak TLS');
      // Session tickets are made with keys of the old context, so no session resumes past the new authorities.
      server.setSecureContext(contents);
      server.closeIdleConnections();
      if (otherAuthorities) connections.endBusy();
      tell.reloaded();
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) tell.failed(error as Error);
      failure = message;
    }
  }

  return {
    look,
    start() {
      timer = setInterval(() => void look(), lookEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The certificate of a client is verified once for each connection: without this, one whose authority was removed could go on
 * for as long as it keeps its connection busy. A handshake that has begun counts as well.
 */
function trackConnections(server: HttpServer, busyMs: number): { endBusy(): void } {
  const open = new Set<Socket>();
  const verifiedIn = new WeakMap<Socket, number>();
  let period = 0;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => void verifiedIn.set(socket, period));
  server.prependListener('request', ({ socket }, response) => {
    if (verifiedIn.get(socket) !== period) response.shouldKeepAlive = false;
  });
  return {
    endBusy() {
      period++;
      const before = [...open];
      setTimeout(() => {
        for (const socket of before) socket.destroy();
      }, busyMs).unref();
    },
  };
}

/**
 * For a whole request, its body included; Node looks for late ones every `connectionsCheckingInterval`. It exchanges the two
 * timeouts when the one for headers, 60 seconds by default, is the longer one, and would give bodies that long.
 */
export const arrivesWithin = {
  requestTimeout: 30_000,
  headersTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
};

/** Fastify's types know only plain HTTP where a server may be either. */
export function serverOptions(tls: TlsFiles | null, contents: TlsContents | null): { http: ServerOptions } {
  // Node would answer without the envelope; `nameRequests` refuses in it.
  const http = { requireHostHeader: false, ...arrivesWithin };
  if (!contents) return { http };
  const asksClients = tls?.clientCa !== null;
  const https = { ...http, ...contents, requestCert: asksClients, rejectUnauthorized: asksClients };
  return { https } as unknown as { http: ServerOptions };
}
