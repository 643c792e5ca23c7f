import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type ClientOptions, createAssizeClient } from '../../src/client/index.ts';
import { startApp, type TestApp } from './app.ts';

export interface ListeningApp extends TestApp {
  url: string;
  client(apiKey: string, options?: Partial<ClientOptions>): ReturnType<typeof createAssizeClient>;
}

/** The real app on a port of its own, for what speaks HTTP. */
export async function listeningApp(t: Test, env: Record<string, string> = {}): Promise<ListeningApp> {
  const app = await startApp(t, env);
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  return {
    ...app,
    url,
    client: (apiKey, options) => createAssizeClient({ url, apiKey, retryDelayMs: 1, ...options }),
  };
}
