import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');
export const operatorKey = `asz_admin_${'d'.repeat(43)}`;

/** Builds the service into a folder of its own, and answers its main file: what runs is what is shipped. */
export function buildService(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ['migrations', 'policies', 'node_modules', 'package.json']) {
    symlinkSync(join(root, name), join(folder, name));
  }
  execFileSync(process.execPath, ['scripts/build.mjs', join(folder, 'dist')], { cwd: root });
  return join(folder, 'dist/main.js');
}

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

/** Starts the process on the file, and waits until it listens. */
export async function startService(
  main: string,
  database: string,
  { preload, env = {} }: { preload?: string; env?: Record<string, string> } = {},
): Promise<ServiceProcess> {
  // A clean environment: nothing of the test runner's rides along.
  const { PATH = '' } = process.env;
  const child: ChildProcess = spawn(
    process.execPath,
    [...(preload === undefined ? [] : ['--import', preload]), main],
    {
      env: {
        PATH,
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
        const address = /listening at (http:\/\/[^"\s]+)/i.exec(line)?.[1];
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
