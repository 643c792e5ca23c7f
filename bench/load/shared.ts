import { integrationWith, type Target } from './scenarios.ts';
import { callOf, openSessions, sessionBodies } from './tool-calls.ts';

export interface SharedLoad {
  name: string;
  key: string;
  bodies: readonly string[];
}

/** What replicas share more and more of: sessions one by one, one hot session, and the counters of entities. */
export async function prepareShared(
  target: Target,
  sessions: number,
): Promise<[SharedLoad, SharedLoad, SharedLoad]> {
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
  // Ten sessions of each entity.
  const counted = await sessionBodies(target.url, countedKey, sessions, (place) => ({
    entityId: `00000000-0000-4000-8000-${String(Math.floor(place / 10)).padStart(12, '0')}`,
  }));
  return [
    { name: 'many sessions', key, bodies: spread },
    { name: 'one hot session', key, bodies: hotBodies },
    { name: 'entity counters', key: countedKey, bodies: shuffled(counted) },
  ];
}

/** So that neighbours in time are of different sessions, as those of many agents are. */
function shuffled(bodies: readonly string[]): string[] {
  const step = 7_919;
  return bodies.map((_, place) => bodies[(place * step) % bodies.length] as string);
}
