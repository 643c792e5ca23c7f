import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Self } from './server.ts';

/** The package of this platform, without the one that picks it: that names packages which not every registry has. */
const binary = 'bench/peers/node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64';

/** The peer's address and bodies that ask it about the same kind of tool call; null when it is not installed. */
export async function startCerbos(): Promise<{
  url: string;
  bodies: string[];
  measure(): Promise<Self>;
  stop(): Promise<void>;
} | null> {
  if (!existsSync(binary)) return null;
  const child = spawn(binary, ['server', '--config', 'bench/peers/cerbos/config.yaml'], {
    stdio: 'ignore',
  });
  const base = 'http://127.0.0.1:13592';
  for (;;) {
    const healthy = await fetch(`${base}/_cerbos/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) break;
    if (child.exitCode !== null) throw new Error(`cerbos exited with ${child.exitCode}`);
    await setTimeout(50);
  }
  let cpuBefore = 0;
  return {
    url: `${base}/api/check/resources`,
    bodies: Array.from({ length: 1_000 }, (_, place) => JSON.stringify(question(place))),
    async measure() {
      const cpu = cpuMicrosOf(child.pid ?? 0);
      const cpuMicros = cpu - cpuBefore;
      cpuBefore = cpu;
      return { loopP99Ms: Number.NaN, cpuMicros, rssMb: Number.NaN };
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const question = (place: number): object => ({
  requestId: `r${place}`,
  principal: { id: 'agent', roles: ['agent'] },
  resources: [
    {
      actions: ['call'],
      resource: {
        kind: 'tool_call',
        id: `t${place}`,
        attr: {
          tool: 'web.search',
          toolCount: place % 10,
          sessionTags: ['NETWORK'],
          dataTags: [],
          warningCount: 0,
          actionCount: place % 50,
        },
      },
    },
  ],
});

/** User and system time of a process, from /proc, in microseconds. */
function cpuMicrosOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10_000;
}
