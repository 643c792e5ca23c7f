import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import type { Test } from 'tap';

export const root = join(import.meta.dirname, '../..');
/** Nothing of the test runner's own environment reaches a process but where programs are. */
export const processEnvironment = { PATH: process.env.PATH ?? '' };
const cleanEnvironment = { ...processEnvironment, ASSIZE_PORT: '0' };

/** The program as it is built before tests run. */
export const program = join(root, 'dist/main.js');

export interface Served {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves with the match as soon as the output has it; rejects when the process ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** What the file with the first keys says, once it is written. */
  firstKeys(): Promise<string>;
  /** Where it listens, once it does. */
  url(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The real process, killed after the test. It serves unless arguments after the program say otherwise. */
export function serveProcess(
  t: Test,
  env: Record<string, string>,
  { node = process.execPath, args = [program], cwd = root } = {},
): Served {
  const words = args.at(-1)?.endsWith('/main.js') ? [...args, 'serve'] : args;
  const child = spawn(node, words, { cwd, env: { ...cleanEnvironment, ...env } });
  let [out, err] = ['', ''];
  const lookers = new Set<() => void>();
  const look = () => {
    for (const looker of [...lookers]) looker();
  };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const prints = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const looker = () => {
        const match = pattern.exec(out);
        if (!match) return;
        lookers.delete(looker);
        resolve(match);
      };
      lookers.add(looker);
      looker();
      exited.then(() => reject(new Error(`ended without printing ${pattern}: ${err}`)));
    });
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    exited,
    prints,
    firstKeys: async () => {
      const [, file = ''] = await prints(/"file":"([^"]+-first-keys\.txt)"/);
      return readFileSync(resolvePath(cwd, file), 'utf8');
    },
    url: async () => (await prints(/listening at (http:\/\/127\.0\.0\.1:\d+)/))[1] ?? '',
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}
