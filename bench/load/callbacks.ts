import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from './scenarios.ts';

const holdAll = `
schemaVersion: 1
name: hold-mail
rules:
  - { id: hold, when: 'tool == "hold.this"', effect: APPROVAL_REQUIRED, severity: HIGH }
`;

const listen = async (server: HttpServer): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

async function call(url: string, key: string, method: string, path: string, body?: unknown) {
  const text = typeof body === 'string';
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': text ? 'application/yaml' : 'application/json',
    },
    ...(body !== undefined && { body: text ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return ((await response.json()) as { data: Record<string, string> }).data;
}

export const createIntegration = async ({ url, adminKey }: Target, name: string, settings: object = {}) => {
  const { id = '', apiKey = '' } = await call(url, adminKey, 'POST', '/v1/integrations', {
    name,
    kind: 'REST_API',
    settings,
  });
  return { id, key: apiKey };
};

/**
 * Approves actions of one integration whose receiver never answers, then of another, and times the callbacks of that one.
 * The receivers stay dead for so many seconds.
 */
export async function delaysBesideDeadReceivers(
  target: Target,
  dead: number,
  timed: number,
  seconds: number,
): Promise<number[]> {
  const { url, adminKey } = target;
  const endsAt = performance.now() + seconds * 1_000;
  const silent = createServer(() => undefined);
  const arrivals = new Map<string, number>();
  const live = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      for (const id of decided.keys()) if (text.includes(id)) arrivals.set(id, performance.now());
      response.end();
    });
  });
  const [silentUrl, liveUrl] = [await listen(silent), await listen(live)];
  const decided = new Map<string, number>();
  const policy = await call(url, adminKey, 'POST', '/v1/policies?activate=true', holdAll);
  const hold = async (name: string, callbackUrl: string, count: number): Promise<string[]> => {
    const { id, key } = await createIntegration(target, name);
    await call(url, adminKey, 'PUT', `/v1/integrations/${id}/policies/${policy.id}`);
    const reviews: string[] = [];
    for (let place = 0; place < count; place++) {
      const input = { tool: 'hold.this', place };
      const { reviewRequestId = '' } = await call(url, key, 'POST', '/v1/evaluate', { input, callbackUrl });
      reviews.push(reviewRequestId);
    }
    return reviews;
  };
  const approve = (id: string) => call(url, adminKey, 'POST', `/v1/reviews/${id}/approve`, {});
  for (const id of await hold('dead receivers', silentUrl, dead)) await approve(id);
  for (const id of await hold('live receiver', liveUrl, timed)) {
    decided.set(id, performance.now());
    await approve(id);
  }
  const until = performance.now() + 15_000;
  while (arrivals.size < timed && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, endsAt - performance.now()));
  for (const server of [silent, live]) {
    server.close();
    server.closeAllConnections();
  }
  return [...decided].map(([id, at]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at);
}
