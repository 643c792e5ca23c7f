import { once } from 'node:events';
import { createServer } from 'node:net';
import { type CheckResult, fail, ok } from '../../store/check-result.ts';

/** Longest wait for a response, in milliseconds. */
const patience = 3_000;

/** The port is free to serve on, or assize serves there already and is well. */
export async function lookAtPort(host: string, port: number): Promise<CheckResult> {
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
    if (code === 'EADDRINUSE') return whoServes(host, port);
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

async function whoServes(host: string, port: number): Promise<CheckResult> {
  const check = 'port';
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}/health/ready`;
  const stop = 'stop that, or set ASSIZE_PORT to a free one';
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect: 'manual' });
    const body = (await response.json()) as { success?: boolean; data?: { status?: string } };
    if (body.data?.status === 'ok') return ok(check, `assize runs at ${host}:${port} and is ready`);
    if (body.success === false) {
      return fail(check, `assize runs at ${host}:${port} but cannot record`, 'look at its log and its disk');
    }
  } catch {
    // Another program's response, or none.
  }
  return fail(check, `another program has ${host}:${port}`, stop);
}
