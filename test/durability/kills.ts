import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { auditEvents, endClaims, openEventReceiver, proveDelivered, subscribe } from './events.ts';
import { type Caller, createCaller, loadUntilGone, policy, type Sent, type World } from './load.ts';
import { operatorKey, request, type ServiceProcess, startService } from './process.ts';
import { proveKept } from './proofs.ts';
import { createRandom } from './random.ts';
import { proveRecord } from './record.ts';

export interface KillsOptions {
  folder: string;
  kills: number;
  seed: number;
  /** Kills after which a fresh file is begun, so that looking through it stays quick. */
  killsPerFile?: number;
  connections?: number;
  /** The most answers before a kill. */
  mostResponses?: number;
  /** Once aborted, the kill under way is the last one. */
  signal?: AbortSignal;
  /** Told after each kill. */
  onRound?: (round: Round) => void;
}
export interface Round {
  kill: number;
  answered: number;
  unreachable: number;
  wrong: string[];
}

/** The receiver of events is on this machine. */
const reachable = { env: { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' } };

/** Kills the loaded process so often, at moments that the seed chooses, and proves after each restart what must hold. */
export async function killAndProve(options: KillsOptions): Promise<Round[]> {
  const {
    folder,
    kills,
    seed,
    killsPerFile = 20,
    connections = 32,
    mostResponses = 2_400,
    signal,
    onRound,
  } = options;
  const random = createRandom(seed);
  const rounds: Round[] = [];
  let isOver = kills === 0;
  while (!isOver) {
    const database = join(folder, `kills-${rounds.length}.db`);
    let service = await startService(database, reachable);
    const receiver = await openEventReceiver();
    try {
      const world = await createWorld(service);
      await subscribe(service.url, receiver);
      for (let place = 0; place < killsPerFile && !isOver; place++) {
        const { journal, killed } = await loadAndKill(service, world, seed + rounds.length, connections, {
          // Often after a few answers, at times with checkpoints behind it; and not just as an answer arrives.
          afterResponses: 1 + Math.floor(mostResponses * random.next() ** 2),
          thenMs: random.below(25),
        });
        if (!killed) throw new Error(`the process ended by itself\n${service.lines.join('\n')}`);
        endClaims(database);
        service = await startService(database, reachable);
        const caller = createCaller(service.url, connections);
        const wrong = [
          ...(await proveKept(caller, database, world, journal)),
          ...(await proveRecord(service.url)),
          ...auditEvents(database),
        ];
        await caller.close();
        isOver = rounds.length === kills - 1 || signal?.aborted === true;
        if (isOver || place === killsPerFile - 1) wrong.push(...(await proveDelivered(database, receiver)));
        const answered = journal.filter((sent) => sent.response !== null).length;
        const round = { kill: rounds.length + 1, answered, unreachable: journal.length - answered, wrong };
        rounds.push(round);
        onRound?.(round);
      }
    } finally {
      await service.kill();
      receiver.close();
    }
  }
  return rounds;
}

async function loadAndKill(
  service: ServiceProcess,
  world: World,
  seed: number,
  connections: number,
  when: { afterResponses: number; thenMs: number },
): Promise<{ journal: Sent[]; killed: boolean }> {
  const caller = createCaller(service.url, connections);
  let responses = 0;
  let killed: Promise<boolean> | null = null;
  const journal = await loadUntilGone(caller, world, createRandom(seed), connections, () => {
    if (++responses < when.afterResponses || killed) return;
    killed = setTimeout(when.thenMs, true).then(async (value) => {
      await service.kill();
      return value;
    });
  });
  await caller.close();
  return { journal, killed: (await killed) ?? false };
}

/** An integration with a policy, and a first session. */
export async function createWorld(service: Pick<ServiceProcess, 'url'>): Promise<World> {
  const caller = createCaller(service.url, 1);
  const { data: integration } = await post(caller, operatorKey, '/v1/integrations', {
    name: 'durability',
    kind: 'AGENT',
  });
  const headers = { authorization: `Bearer ${operatorKey}` };
  const created = await request(`${service.url}/v1/policies?activate=true`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/yaml' },
    body: policy,
  });
  const { data } = (await created.json()) as { data: { id: string } };
  const bound = await request(`${service.url}/v1/integrations/${integration.id}/policies/${data.id}`, {
    method: 'PUT',
    headers,
  });
  if (!bound.ok) throw new Error(`no policy: ${await bound.text()}`);
  const apiKey = integration.apiKey as string;
  const { data: hot } = await post(caller, apiKey, '/v1/evaluation-sessions', {});
  await caller.close();
  return {
    apiKey,
    operatorKey,
    hot: hot.id as string,
    sessions: [],
    ended: new Set(),
    reviews: [],
    sentCount: 0,
  };
}

async function post(
  caller: Caller,
  apiKey: string,
  path: string,
  body: object,
): Promise<{ data: Record<string, unknown> }> {
  const sent = { kind: 'create' as const, path, body: JSON.stringify(body), apiKey };
  const { status, text } = await caller.send({ ...sent, onceKey: null, correlationId: null, response: null });
  if (status !== 201) throw new Error(`${path} was answered ${status}: ${text}`);
  return JSON.parse(text);
}
