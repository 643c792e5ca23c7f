import { createAssizeClient } from '../../../lib/client/index.js';

/** What a program does with the client, in any runtime: answers what came of it. */
export async function useClient(url, apiKey) {
  const client = createAssizeClient({ url, apiKey });
  const session = await client.sessions.start();
  const { enforcementAction } = await session.evaluate({ input: { tool: 'mail', text: 'ada@example.com' } });
  const held = await client.evaluate({ input: { tool: 'pay' } });
  const review = await client.reviews.waitFor(held.reviewRequestId, { timeoutMs: 50 }).catch(failed);
  // What `await using` calls, which not every runtime can spell.
  await session[Symbol.asyncDispose]();
  const { status, actionCount } = await client.sessions.get(session.id);
  return {
    enforcementAction,
    status,
    actionCount,
    held: held.enforcementAction,
    review,
    wrongKey: await createAssizeClient({ url, apiKey: 'asz_live_wrong' }).sessions.start().catch(failed),
    aborted: await client.evaluate({ input: {} }, { signal: AbortSignal.abort() }).catch(failed),
    // Nobody listens there.
    refused: await createAssizeClient({ url: 'http://127.0.0.1:9', apiKey, retries: 0 })
      .sessions.start()
      .catch(failed),
  };
}

const failed = ({ name, code }) => ({ name, code });
