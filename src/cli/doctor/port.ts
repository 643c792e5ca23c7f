import { once } from 'node:events';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TlsFiles } from '../../http/tls.ts';
import { type CheckResult, fail, ok } from '../../store/check-result.ts';

/** Longest wait for a response, in milliseconds. */
const patience = 3_000;

/** The port is free to serve on, or assize serves there already and is well. */
export async function lookAtPort(
  host: string,
  port: number,
  tls: TlsFiles | null = null,
): Promise<CheckResult> {
  const check = 'port';
  const where = `${host}:${port}`;
  if (port === 0) return ok(check, 'a free port is picked');
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return ok(check, `${where} is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return whoServes(host, port, tls);
    if (code === 'EACCES') {
      return fail(check, `this user may not listen on ${where}`, 'set ASSIZE_PORT to one above 1023');
    }
    return fail(
      check,
      `${where} cannot be listened on: ${message}`,
      'set ASSIZE_HOST to an address of this machine',
    );
  } finally {
    server.close();
  }
}

async function whoServes(host: string, port: number, tls: TlsFiles | null): Promise<CheckResult> {
  const check = 'port';
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  try {
    const { success, data } = await ask({ host: local, port, path: '/health/ready' }, tls !== null);
    if (data?.status === 'ok') return ok(check, `assize runs at ${host}:${port} and is ready`);
    if (success === false) {
      return fail(check, `assize runs at ${host}:${port} but cannot record`, 'look at its log and its disk');
    }
  } catch (error) {
    if (tls?.clientCa && wantsCertificate(error)) {
      return ok(check, `a service runs at ${host}:${port} that lets in only clients with a certificate`);
    }
    // Another program's response, or none.
  }
  return fail(check, `another program has ${host}:${port}`, 'stop that, or set ASSIZE_PORT to a free one');
}

interface Readiness {
  success?: boolean;
  data?: { status?: string };
}

/** The certificate is not verified: it names the service as clients know it, and this asks on its own machine. */
function ask(options: RequestOptions, secure: boolean): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    const asked = { ...options, agent: false, signal: AbortSignal.timeout(patience) };
    const sent = secure ? httpsRequest({ ...asked, rejectUnauthorized: false }) : httpRequest(asked);
    sent
      .on('response', (response) => json(response).then((body) => resolve(body as Readiness), reject))
      .on('error', reject)
      .end();
  });
}

/** The alerts of TLS 1.3 and of TLS 1.2. */
const wantsCertificate = (error: unknown): boolean =>
  /ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)/.test((error as NodeJS.ErrnoException).code ?? '');
