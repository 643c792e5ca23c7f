import { generateText, isStepCount, type ModelMessage, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { createAssizeGuard } from '../../src/ai-sdk/index.ts';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as Generated['usage'];
const says = (content: Generated['content'], unified: 'stop' | 'tool-calls'): Generated => ({
  content,
  finishReason: { unified, raw: undefined },
  usage,
  warnings: [],
});
const pays = (amount: number): Generated =>
  says(
    [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'pay', input: JSON.stringify({ amount }) }],
    'tool-calls',
  );
const done = says([{ type: 'text', text: 'done' }], 'stop');

/** A conversation with a guard of its own for each request, as a server has it. */
async function conversation(t: Test, when: string, effect: string) {
  const app = await listeningApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, rule(when, effect));
  const client = app.client(key);
  const session = await client.sessions.create();
  const paid: number[] = [];
  const messages: ModelMessage[] = [{ role: 'user', content: 'pay' }];
  return {
    paid,
    messages,
    operator: app.client(adminKey),
    evaluations: async () => (await client.sessions.evaluations(session.id)).data.reverse(),
    async go(...turns: Generated[]) {
      const guard = createAssizeGuard({ client, sessionId: session.id });
      const pay = tool({
        inputSchema: z.object({ amount: z.number() }),
        execute: async ({ amount }) => {
          paid.push(amount);
          return `paid ${amount}`;
        },
      });
      const model = new MockLanguageModelV4({ doGenerate: turns });
      const { toolApproval } = guard;
      const tools = guard.tools({ pay });
      const result = await generateText({ model, tools, toolApproval, stopWhen: isStepCount(3), messages });
      messages.push(...result.response.messages);
      const [request] = result.content.filter(({ type }) => type === 'tool-approval-request');
      return { request, read: JSON.stringify(model.doGenerateCalls.at(-1)?.prompt.at(-1)) };
    },
    /** What the program's own page says of the request: not a reviewer of Assize. */
    answer(approvalId: string) {
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId, approved: true }],
      });
    },
  };
}

t.test('a call that is let through is evaluated once, runs and shows its result', async (t) => {
  const { go, paid, evaluations } = await conversation(
    t,
    'tool == "pay" && input.arguments.amount > 10.0',
    'BLOCK',
  );
  const { read } = await go(pays(7), done);
  t.match(read, /paid 7/);
  t.strictSame(paid, [7]);
  t.strictSame(
    (await evaluations()).map(({ phase }) => phase),
    ['ACTION', 'RESULT'],
  );
});

t.test('a blocked call is denied, and the model reads why', async (t) => {
  const { go, paid } = await conversation(t, 'tool == "pay"', 'BLOCK');
  const { read } = await go(pays(7), done);
  t.match(read, /"execution-denied","reason":"blocked by policy: [^"]/);
  t.strictSame(paid, []);
});

for (const [decision, expected] of [
  [null, /waiting for approval/],
  ['approve', /paid 7/],
  ['reject', /ask finance first/],
] as const) {
  t.test(`a held call becomes an approval request; reviewer: ${decision ?? 'silent'}`, async (t) => {
    const { go, paid, answer, operator } = await conversation(t, 'tool == "pay"', 'APPROVAL_REQUIRED');
    const { request } = await go(pays(7));
    t.match(request, { type: 'tool-approval-request', reason: /waiting for approval \(review / });
    t.strictSame(paid, []);
    const { data } = await operator.reviews.list();
    t.equal(data.length, 1);
    if (decision) await operator.reviews[decision](`${data[0]?.id}`, { comment: 'ask finance first' });
    answer((request as { approvalId: string }).approvalId);
    t.match((await go(done)).read, expected);
    t.strictSame(paid, decision === 'approve' ? [7] : []);
  });
}
