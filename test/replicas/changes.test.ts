import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { root } from '../helpers/process.ts';
import { ask } from './pair.ts';
import { startThree } from './three.ts';

// Policies and keys are changed while three replicas are under load: what decides after a change was confirmed?

const changeCount = 12;
const workers = 24;
const document = (serial: number) =>
  `schemaVersion: 1\nname: changing\nrules: [{ id: r, when: "true", effect: WARN, message: "${serial}" }]`;

interface Key {
  apiKey: string;
  isRevoked: boolean;
}

async function changeUnderLoad(t: Test, program: { main?: string; preload?: string } = {}) {
  const { server, urls, integrationId, key, operator, policy } = await startThree(t, program);
  const policyId = await policy(document(0));
  // no multiple of the replicas, so that each session is decided by all of them
  const sessions = await Promise.all(
    Array.from(
      { length: 7 },
      async () => (await ask(urls[0], key, 'POST', '/v1/evaluation-sessions', {})).data.id,
    ),
  );
  /** The version that was confirmed last. */
  let confirmed = 1;
  let isDone = false;
  const keys: Key[] = [{ apiKey: key, isRevoked: false }];
  const versions = new Map<string, number>();
  const found = { decided: 0, byOldPolicy: 0, byRevokedKey: 0, backwards: 0, refused: 0 };

  async function work(worker: number): Promise<void> {
    for (let turn = worker; !isDone; turn++) {
      const used = keys[turn % keys.length] as Key;
      const [least, wasRevoked] = [confirmed, used.isRevoked];
      const body = { sessionId: sessions[turn % sessions.length], input: { tool: 'x' } };
      const { status, data } = await ask(urls[turn % 3] as string, used.apiKey, 'POST', '/v1/evaluate', body);
      if (status !== 200) {
        found.refused++;
        continue;
      }
      found.decided++;
      const version = data.violations[0].policyVersion as number;
      versions.set(data.evaluationRunId, version);
      if (version < least) found.byOldPolicy++;
      if (wasRevoked) found.byRevokedKey++;
    }
  }
  async function change(): Promise<void> {
    for (let serial = 1; serial <= changeCount; serial++) {
      const url = urls[serial % 3] as string;
      const before = found.decided;
      const path = `/v1/integrations/${integrationId}/keys`;
      const { data: issued } = await operator('POST', path, { name: `${serial}` }, url);
      const issuedKey = { apiKey: issued.apiKey, isRevoked: false };
      keys.push(issuedKey);
      await operator('PUT', `/v1/policies/${policyId}`, document(serial), url);
      const { data, status } = await operator('POST', `/v1/policies/${policyId}/activate`, {}, url);
      t.equal(status, 200);
      confirmed = data.activeVersion ?? serial + 1;
      while (found.decided < before + 20) await new Promise(setImmediate);
      await operator('POST', `${path}/${issued.id}/revoke`, {}, url);
      issuedKey.isRevoked = true;
      while (found.decided < before + 40) await new Promise(setImmediate);
    }
    isDone = true;
  }
  await Promise.all([change(), ...Array.from({ length: workers }, (_, worker) => work(worker))]);

  const database = new pg.Client(server.address);
  await database.connect();
  const { rows } = await database.query<{ id: string; session: string }>(
    'SELECT id, session_id AS session FROM evaluations ORDER BY session_id, position',
  );
  await database.end();
  const latest = new Map<string, number>();
  for (const { id, session } of rows) {
    const version = versions.get(id) ?? 0;
    if (version < (latest.get(session) ?? 0)) found.backwards++;
    latest.set(session, version);
  }
  return found;
}

t.test('nothing is decided by an old policy or a revoked key once the change was confirmed', async (t) => {
  const found = await changeUnderLoad(t);
  t.ok(found.decided >= changeCount * 40, 'under load');
  t.ok(found.refused > 0, 'revoked keys were tried');
  t.match(found, { byOldPolicy: 0, byRevokedKey: 0, backwards: 0 });
});

t.test('control: replicas that look for changes every five seconds decide by old ones', async (t) => {
  const preload = join(import.meta.dirname, 'polling.mjs');
  const found = await changeUnderLoad(t, { main: join(root, 'src/main.ts'), preload });
  t.ok(found.byOldPolicy > 0);
  t.ok(found.backwards > 0);
});
