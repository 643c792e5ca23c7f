import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isShort } from './measure.ts';

// How long a start takes until /health/ready returns 200, and the resident memory after five idle seconds: in an empty
// folder, on the database of that start, and of a bare Fastify. The first start of each program is not counted: it fills
// the caches. Run: npm run bench -- start [--starts N] [PROGRAM], after npm run build.
const idleMs = isShort ? 0 : 5_000;
const {
  values: { starts },
  positionals: [program = 'dist/main.js'],
} = parseArgs({ options: { starts: { type: 'string', default: '5' } }, allowPositionals: true });
const path = resolve(program);
const service = path.endsWith('.js') ? [process.execPath, path, 'serve'] : [path, 'serve'];
const bare = [process.execPath, join(import.meta.dirname, 'load/bare.mjs')];

interface Started {
  readyMs: number;
  cpuMs: number;
  idleMb: number;
}

/** The user and system time of a process so far, in the hundredths of a second that the kernel counts, as milliseconds. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, path: '/health/ready', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });

async function start([file = '', ...args]: string[], folder: string): Promise<Started> {
  const port = randomInt(20_000, 32_000);
  const env = { PATH: process.env.PATH, HOME: folder, ASSIZE_PORT: String(port) };
  const startedAt = performance.now();
  const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
      await setTimeout(2);
    }
    const readyMs = performance.now() - startedAt;
    const cpuMs = cpuMsOf(pid);
    await setTimeout(idleMs);
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { readyMs, cpuMs, idleMb: Number(kilobytes) / 1_024 };
  } finally {
    child.kill();
    await ended;
  }
}

function report(name: string, counted: Started[]): void {
  const median = (of: (one: Started) => number): number =>
    counted.map(of).sort((a, b) => a - b)[Math.floor(counted.length / 2)] ?? 0;
  const ready = median(({ readyMs }) => readyMs).toFixed(0);
  const cpu = median(({ cpuMs }) => cpuMs).toFixed(0);
  const idle = median(({ idleMb }) => idleMb).toFixed(1);
  console.log(`${name.padEnd(20)} ready ${ready} ms, ${cpu} ms of CPU; idle RSS ${idle} MB`);
}

const [empty, existing, floor]: Started[][] = [[], [], []];
for (let turn = 0; turn <= Number(starts); turn += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-start-'));
  try {
    const measured = [await start(service, folder), await start(service, folder), await start(bare, folder)];
    if (turn === 0) continue;
    for (const [index, list] of [empty, existing, floor].entries()) list?.push(measured[index] as Started);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
report('in an empty folder', empty ?? []);
report('on its database', existing ?? []);
report('bare Fastify', floor ?? []);
