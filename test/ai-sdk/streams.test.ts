import { isStepCount, type ModelMessage, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { createAssizeGuard } from '../../src/ai-sdk/index.ts';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const streams = (parts: object[], unified: 'stop' | 'tool-calls'): Streamed => ({
  stream: convertArrayToReadableStream([
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason: { unified, raw: undefined }, usage },
  ] as Part[]),
});
const pays = (...amounts: number[]) =>
  streams(
    amounts.map((amount, at) => ({
      type: 'tool-call',
      toolCallId: `call-${at}`,
      toolName: 'pay',
      input: JSON.stringify({ amount }),
    })),
    'tool-calls',
  );
const done = () =>
  streams(
    [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'done' },
      { type: 'text-end', id: '1' },
    ],
    'stop',
  );

interface ApprovalRequest {
  approvalId: string;
}

/** A conversation that is streamed, with a guard of its own for each request, as a server has it. */
async function conversation(t: Test, when: string, effect: string) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, rule(when, effect));
  const client = app.client(key);
  const session = await client.sessions.create();
  const paid: number[] = [];
  const messages: ModelMessage[] = [{ role: 'user', content: 'pay' }];
  const { reviews } = app.client(adminKey);
  return {
    paid,
    reviews,
    pending: async () => (await reviews.list({ status: 'PENDING' })).data.map((review) => review.id),
    async go(...turns: Streamed[]) {
      const guard = createAssizeGuard({ client, sessionId: session.id });
      const pay = tool({
        inputSchema: z.object({ amount: z.number() }),
        execute: async ({ amount }) => {
          paid.push(amount);
          return `paid ${amount}`;
        },
      });
      const model = new MockLanguageModelV4({ doStream: turns });
      const { toolApproval } = guard;
      const tools = guard.tools({ pay });
      const result = streamText({ model, tools, toolApproval, stopWhen: isStepCount(3), messages });
      const requests: ApprovalRequest[] = [];
      for await (const part of result.stream) // A denied call is an automatic request, which waits for nobody.
        if (part.type === 'tool-approval-request' && !part.isAutomatic) requests.push(part);
      messages.push(...(await result.response).messages);
      return { requests, read: JSON.stringify(model.doStreamCalls.at(-1)?.prompt.slice(1)) };
    },
    /** What the program's own page says of the requests: not a reviewer of Assize. */
    answer(requests: readonly ApprovalRequest[]) {
      messages.push({
        role: 'tool',
        content: requests.map(({ approvalId }) => ({
          type: 'tool-approval-response',
          approvalId,
          approved: true,
        })),
      });
    },
  };
}

for (const [decision, expected] of [
  [null, /waiting for approval/],
  ['approve', /paid 7/],
  ['reject', /ask finance first/],
] as const) {
  t.test(
    `a held call in a stream becomes an approval request; reviewer: ${decision ?? 'silent'}`,
    async (t) => {
      const { go, paid, answer, pending, reviews } = await conversation(
        t,
        'tool == "pay"',
        'APPROVAL_REQUIRED',
      );
      const { requests } = await go(pays(7));
      t.match(requests, [
        { type: 'tool-approval-request', toolCall: { toolName: 'pay', input: { amount: 7 } } },
      ]);
      t.strictSame(paid, []);
      const [review = ''] = await pending();
      if (decision) await reviews[decision](review, { comment: 'ask finance first' });
      answer(requests);
      t.match((await go(done())).read, expected);
      t.strictSame(paid, decision === 'approve' ? [7] : []);
    },
  );
}

t.test('of parallel calls in a stream, as many run as the limit allows', async (t) => {
  const limit = 'tool == "pay" && session.attemptCounts[?tool].orValue(0) >= 2';
  const { go, paid } = await conversation(t, limit, 'BLOCK');
  const { read, requests } = await go(pays(1, 2, 3), done());
  t.equal(paid.length, 2);
  t.equal(read.split('blocked by policy').length, 2, 'the model reads why the third did not run');
  t.strictSame(requests, []);
});

t.test('identical held calls in one stream wait for one review, whose approval lets one run', async (t) => {
  const { go, paid, answer, pending, reviews } = await conversation(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
  const { requests } = await go(pays(7, 7, 8));
  t.equal(requests.length, 3);
  const open = await pending();
  t.equal(open.length, 2, 'one for each action');
  for (const review of open) await reviews.approve(review);
  answer(requests);
  const { read } = await go(done());
  t.strictSame(paid.sort(), [7, 8]);
  t.match(read, /waiting for approval/, 'the second of the two needs an approval of its own');
});

t.test('what is held does not stop what else the model calls in the same step', async (t) => {
  const when = 'tool == "pay" && input.arguments.amount > 10.0';
  const { go, paid, answer, pending, reviews } = await conversation(t, when, 'APPROVAL_REQUIRED');
  const { requests } = await go(pays(5, 50));
  t.strictSame([requests.length, paid], [1, [5]]);
  for (const review of await pending()) await reviews.approve(review);
  answer(requests);
  await go(done());
  t.strictSame(paid, [5, 50]);
});
