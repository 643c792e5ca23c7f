import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Test } from 'tap';

export const root = join(import.meta.dirname, '../..');
/**
 * Nothing of the test runner's own environment reaches a process but where programs are. What Node makes of sources is
 * kept from one to the next; not for the tests themselves, whose coverage it would blur.
 */
export const processEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(root, '.tap/compile-cache'),
};
const cleanEnvironment = { ...processEnvironment, ASSIZE_PORT: '0' };

export interface Served {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves with the match as soon as the output has it; rejects when the process ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  /** Where it listens, once it does. */
  url(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Builds `dist` as `npm start` does; or into another folder, for a test that runs beside those that use `dist`. */
export function build(outdir = 'dist', script = 'build.mjs'): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', script), outdir], {
    cwd: root,
    encoding: 'utf8',
    env: cleanEnvironment,
  });
  if (status !== 0) throw new Error(stderr);
}

/** The real process, killed after the test. */
export function serveProcess(
  t: Test,
  env: Record<string, string>,
  { node = process.execPath, args = [join(root, 'dist/main.js')], cwd = root } = {},
): Served {
  const child = spawn(node, args, { cwd, env: { ...cleanEnvironment, ...env } });
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
    url: async () => (await prints(/listening at (http:\/\/127\.0\.0\.1:\d+)/))[1] ?? '',
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}
