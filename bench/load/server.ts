import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { mallocVariables, v8Flags } from '../../src/v8-flags.ts';

/** What the server says of itself since it was last asked. */
export interface Self {
  /** 99th percentile of the event-loop delay, in milliseconds. */
  loopP99Ms: number;
  cpuMicros: number;
  rssMb: number;
}

/** CPU time that the threads of a process have used so far, in microseconds. */
export interface ThreadTimes {
  main: number;
  /** By the name that the kernel shows: of V8's workers, libuv's pool, the service's own threads. */
  others: Record<string, number>;
}

export interface Server {
  url: string;
  pid: number;
  /** The agent key that a service writes beside its new database at its first start. */
  demoKey(): Promise<string>;
  measure(): Promise<Self>;
  threadTimes(): ThreadTimes;
  stop(): Promise<void>;
}

/** Starts a Node process that prints its address, with the V8 flags and variables that the service picks for itself, and waits for it. */
export async function startServer(
  script: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Server> {
  const preload = new URL('loop-delay.mjs', import.meta.url).pathname;
  // Of the benchmark: a service does not start with a setting that it does not know.
  const { ASSIZE_CORPORA: _, ...inherited } = process.env;
  const serves = /main\.[jt]s$/.test(script) ? ['serve'] : [];
  const child: ChildProcess = spawn(
    'node',
    [...v8Flags(), ...flags, '--import', preload, script, ...serves],
    {
      env: { ...mallocVariables, ...inherited, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} exited with ${code}\n${lines.join('\n')}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      // a service in trouble measures something else
      if (/"level":[56]0/.test(line) && !line.includes('"reqId"')) console.error(line);
      const address = /listening (?:at )?(http:\/\/[^"\s]+)/i.exec(line)?.[1];
      if (address) resolve(address);
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    async demoKey() {
      const file = `${env.ASSIZE_DATABASE}-first-keys.txt`;
      for (let tries = 0; tries < 500; tries++) {
        const key = existsSync(file) && /asz_live_[A-Za-z0-9_-]{43}/.exec(readFileSync(file, 'utf8'))?.[0];
        if (key) return key;
        await setTimeout(20);
      }
      throw new Error(`no agent key in ${file}`);
    },
    measure: () =>
      new Promise((resolve) => {
        child.once('message', (self) => resolve(self as Self));
        child.send('measure');
      }),
    threadTimes: () => readThreadTimes(child.pid ?? 0),
    async stop() {
      child.removeAllListeners('exit');
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** From Linux's `/proc/PID/task/TID/schedstat`, whose first number is nanoseconds on a processor; a thread that ends meanwhile is left out. */
function readThreadTimes(pid: number): ThreadTimes {
  const times: ThreadTimes = { main: 0, others: {} };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const task = `/proc/${pid}/task/${thread}`;
      const micros = Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
      const name = readFileSync(`${task}/comm`, 'utf8').trim();
      if (Number(thread) === pid) times.main = micros;
      else times.others[name] = (times.others[name] ?? 0) + micros;
    } catch {
      // it has ended
    }
  }
  return times;
}
