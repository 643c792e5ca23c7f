import type { AssizeClient } from '../../client/client.ts';
import { digest } from './memory.ts';

/**
 * The ACTIVE session of a conversation: the newest with its id as `externalSessionId`, else a new one. Runs side by
 * side get the same one, because what they create carries the same idempotency key. A conversation that goes on after
 * its session ended or expired goes on in another.
 */
export async function findSession(
  client: AssizeClient,
  conversation: string,
  signal: AbortSignal,
): Promise<string> {
  const { data } = await client.sessions.list({ externalSessionId: conversation, size: 1 }, { signal });
  const [newest] = data;
  if (newest?.status === 'ACTIVE') return newest.id;
  const created = await client.sessions.create(
    { externalSessionId: conversation, metadata: { client: 'claude-code' } },
    { signal, idempotencyKey: `hook-${digest(`${conversation}\n${newest?.id ?? ''}`)}` },
  );
  return created.id;
}
