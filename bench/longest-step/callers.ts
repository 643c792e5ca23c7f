import { parentPort, workerData } from 'node:worker_threads';
import type { Told } from '../longest-step.ts';
import { agentPaths } from './agent-paths.ts';
import { operatorPaths } from './operator-paths.ts';
import { sessionPaths } from './session-paths.ts';

/** A path and how it is taken, once. `prepare` is not measured. */
export interface Path {
  name: string;
  run(): Promise<{ status: number }>;
}

export interface Caller {
  key: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
}

const { url, adminKey, only, repeat, evaluations } = workerData as {
  url: string;
  adminKey: string;
  only: string;
  repeat: number;
  evaluations: number;
};
const tell = (told: Told): void => parentPort?.postMessage(told);

export const callerWith = (key: string): Caller => ({
  key,
  async call(method, path, body, headers = {}) {
    const isText = typeof body === 'string';
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  },
});

const admin = callerWith(adminKey);
for (const path of [
  ...(await agentPaths(admin)),
  ...(await operatorPaths(admin)),
  ...(await sessionPaths(admin, evaluations)),
]) {
  if (!path.name.includes(only)) continue;
  for (let round = 0; round < repeat; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    tell({ begin: path.name });
    const began = performance.now();
    const { status } = await path.run();
    tell({ end: path.name, status: String(status), tookMs: performance.now() - began });
  }
}
parentPort?.close();
