import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { processEnvironment, program } from '../helpers/process.ts';

export const operatorKey = `asz_admin_${'d'.repeat(43)}`;

export interface ServiceProcess {
  url: string;
  pid: number;
  /** What it wrote to standard output and error. */
  lines: string[];
  /** Ends it as the kernel would: nothing of its own runs any more. */
  kill(): Promise<void>;
  /** Asks it to stop, and answers its exit code. */
  stop(): Promise<number | null>;
  /** Its exit code, once it is gone. */
  exited: Promise<number | null>;
}

/** `fetch`, whose error says why no response came: the one of `fetch` itself only says that it failed. */
export const request = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, init).catch(({ cause }: Error & { cause?: Error & { code?: string } }) => {
    const why = `no response to ${init.method ?? 'GET'} ${url}: ${cause?.code} ${cause?.message}`;
    throw new Error(why, { cause });
  });

/** Starts the process on the file, and waits until it listens. */
export async function startService(
  database: string,
  {
    preload,
    env = {},
    main = program,
  }: { preload?: string; env?: Record<string, string>; main?: string } = {},
): Promise<ServiceProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ['--import', preload]), main, 'serve'],
    {
      env: {
        ...processEnvironment,
        NODE_ENV: 'production',
        ASSIZE_PORT: '0',
        ASSIZE_DEMO: 'false',
        ASSIZE_ADMIN_KEY: operatorKey,
        ASSIZE_DATABASE: database,
        ASSIZE_RATE_LIMIT_INTEGRATION: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`exited with ${code}\n${lines.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream as NodeJS.ReadableStream }).on('line', (line) => {
        lines.push(line);
        const address = /listening at (https?:\/\/[^"\s]+)/i.exec(line)?.[1];
        if (address) resolve(address);
      });
    }
  });
  const end = (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    url,
    pid: child.pid ?? 0,
    lines,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    exited,
  };
}
