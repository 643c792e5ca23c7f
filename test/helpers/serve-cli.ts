import type { Test } from 'tap';
import { adminKey, createClock, startApp } from './app.ts';
import { run } from './command.ts';

/**
 * A service that listens, and `assize` with its address and an operator's key. `data` is what it wrote, parsed with `--json`. `sides` are
 * the options of both ways in: over HTTP and on the database.
 */
export async function serveCli(t: Test) {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const assize = async (...args: string[]) => {
    const { code, out, err } = await run([...args, '--url', url, '--key', adminKey]);
    return { code, out, err, data: args.includes('--json') && out !== '' ? JSON.parse(out) : out };
  };
  return {
    app,
    url,
    assize,
    sides: [
      ['--url', url, '--key', adminKey],
      ['--database', app.database],
    ] as const,
  };
}
