import type { AssizeClient } from '../../client/client.ts';
import type { Hook } from './hook.ts';
import { digest } from './memory.ts';

/**
 * The ACTIVE session of a conversation: the newest with its id as `externalSessionId`, else a new one. Parallel runs get
 * the same one, because they create it with the same idempotency key. A conversation that goes on after its session ended or
 * expired gets another that continues it: the model still has all that was said. That of a sub-agent is a child of the
 * conversation's. Rejects when somebody stopped the session: the service lets nobody continue it.
 */
export async function findSession(
  client: AssizeClient,
  conversation: string,
  agent: string,
  signal: AbortSignal,
  parentSessionId: string | null = null,
): Promise<string> {
  const { data } = await client.sessions.list({ externalSessionId: conversation, size: 1 }, { signal });
  const [newest] = data;
  if (newest?.status === 'ACTIVE') return newest.id;
  const created = await client.sessions.create(
    {
      externalSessionId: conversation,
      metadata: { client: agent },
      ...(parentSessionId !== null && { parentSessionId }),
      ...(newest && { previousSessionId: newest.id }),
    },
    { signal, idempotencyKey: `hook-${digest(`${conversation}\n${newest?.id ?? ''}`)}` },
  );
  return created.id;
}

/** Ends the session of a conversation, if it has one. */
export async function endConversation({ conversation, client, memory, options }: Hook): Promise<void> {
  const signal = AbortSignal.timeout(options.limitMs);
  const remembered = memory.recall('session');
  memory.clear();
  const filter = { externalSessionId: conversation, status: 'ACTIVE', size: 1 } as const;
  const id = remembered ?? (await client.sessions.list(filter, { signal })).data[0]?.id;
  if (id !== undefined) await client.sessions.end(id, {}, { signal });
}
