import { integrationWith, type Target } from './scenarios.ts';
import { callOf, openSessions, sessionBodies } from './tool-calls.ts';

export interface SharedLoad {
  name: string;
  key: string;
  bodies: readonly string[];
  /** Measured from its first request on, without a run before it. */
  isNew?: boolean;
}

/** New entities for each session of the other loads: enough that few are asked for twice. */
const newEntitiesEach = 10;

/**
 * Four loads: many sessions, one hot session, counters of entities that were counted before, and new entities. The first evaluation
 * of a new entity counts its counters from the record.
 */
export async function prepareShared(
  target: Target,
  sessions: number,
): Promise<[SharedLoad, SharedLoad, SharedLoad, SharedLoad]> {
  const rules = [
    { id: 'limit', when: 'session.actionCount > 1000000000', effect: 'BLOCK' },
    { id: 'tagged', when: '"PII" in session.dataTags && tool == "email.send"', effect: 'BLOCK' },
  ];
  const key = await integrationWith(target, rules);
  const spread = shuffled(await sessionBodies(target.url, key, sessions));
  const [hot = ''] = await openSessions(target.url, key, 1);
  const hotBodies = Array.from({ length: 5_000 }, (_, place) =>
    JSON.stringify({ sessionId: hot, input: callOf(place) }),
  );
  const counters = { used: { over: 'entity', within: '1h' } };
  const limit = [{ id: 'limit', when: 'counters.used > 1000000000', effect: 'BLOCK' }];
  const countedKey = await integrationWith(target, limit, counters);
  const ofEntities = (first: number, sessionsEach: number, count = sessions) =>
    sessionBodies(target.url, countedKey, count, (place) => ({
      entityId: `00000000-0000-4000-8000-${String(first + Math.floor(place / sessionsEach)).padStart(12, '0')}`,
    }));
  const counted = await ofEntities(0, 10);
  await evaluateInEach(target.url, countedKey, counted);
  const fresh = await ofEntities(sessions, 1, newEntitiesEach * sessions);
  return [
    { name: 'many sessions', key, bodies: spread },
    { name: 'one hot session', key, bodies: hotBodies },
    { name: 'entity counters', key: countedKey, bodies: shuffled(counted) },
    { name: 'new entities', key: countedKey, bodies: shuffled(fresh), isNew: true },
  ];
}

/** Evaluates the first request of each session, so that all entities are counted. */
async function evaluateInEach(url: string, key: string, bodies: readonly string[]): Promise<void> {
  const bySession = Map.groupBy(bodies, (body) => (JSON.parse(body) as { sessionId: string }).sessionId);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (const [body = ''] of bySession.values()) {
    const response = await fetch(`${url}/v1/evaluate`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`not evaluated: ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** So that neighbours in time are of different sessions, as those of many agents are. */
function shuffled(bodies: readonly string[]): string[] {
  const step = 7_919;
  return bodies.map((_, place) => bodies[(place * step) % bodies.length] as string);
}
