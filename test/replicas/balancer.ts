import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.ts';

export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** HAProxy (Debian package `haproxy`) before replicas that listen on these ports. */
export async function startBalancer(
  folder: string,
  ports: readonly number[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, ports));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`haproxy exited with ${child.exitCode}`);
    await setTimeout(20);
  }
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/**
 * A replica that does not answer its health check gets nothing more, and requests that it holds are cut off. Connections to replicas stay
 * open: by default HAProxy closes idle ones once a fifth of its file descriptors are in use, which 384 clients of three replicas reach. More
 * than half of the requests then opened a connection.
 */
const configuration = (port: number, ports: readonly number[]): string => `
global
  maxconn 2000
  tune.pool-low-fd-ratio 80
  tune.pool-high-fd-ratio 90
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout check 1s
  option httpchk GET /health/ready
  option redispatch
  default-server check inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
frontend service
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
${ports.map((replica, place) => `  server replica${place} 127.0.0.1:${replica}`).join('\n')}
`;
