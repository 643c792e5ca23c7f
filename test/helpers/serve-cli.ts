import type { Test } from 'tap';
import { adminKey, createClock, startApp } from './app.ts';
import { run } from './command.ts';

/** A service that listens, and `assize` with its address and an operator's key. `data` is parsed with `--json`. */
export async function serveCli(t: Test) {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const assize = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--url', url, '--key', adminKey]);
    return { code, err, data: args.includes('--json') && out !== '' ? JSON.parse(out) : out };
  };
  return { app, assize };
}
