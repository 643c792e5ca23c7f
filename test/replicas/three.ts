import { join } from 'node:path';
import type { Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { operatorKey, startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { ask } from './pair.ts';

interface Program {
  main?: string;
  preload?: string;
}

/** Three replicas in processes of their own, on one server, and an integration. */
export async function startThree(t: Test, program: Program = {}) {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  const env = { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') };
  const start = () => startService(server.address, { ...program, env });
  // The first one migrates the database, and makes the key.
  const services = [await start(), ...(await Promise.all([start(), start()]))];
  t.teardown(() => Promise.all(services.map((service) => service.kill())));
  const urls = services.map(({ url }) => url) as [string, string, string];
  const operator = (method: string, path: string, body?: object | string, url: string = urls[0]) =>
    ask(url, operatorKey, method, path, body);
  const { data: integration } = await operator('POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  return {
    server,
    urls,
    services,
    operator,
    integrationId: integration.id as string,
    key: integration.apiKey as string,
    /** A policy that decides for the integration. */
    async policy(document: string): Promise<string> {
      const { data, status } = await operator('POST', '/v1/policies?activate=true', document);
      if (status !== 201) throw new Error(`the policy got ${status}`);
      await operator('PUT', `/v1/integrations/${integration.id}/policies/${data.id}`, {});
      return data.id;
    },
    /** So many requests at once, to each replica in turn. */
    atOnce: <Response>(count: number, send: (url: string, place: number) => Promise<Response>) =>
      Promise.all(Array.from({ length: count }, (_, place) => send(urls[place % 3] as string, place))),
  };
}
