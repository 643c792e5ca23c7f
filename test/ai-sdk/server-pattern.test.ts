import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

const run = promisify(execFile);

t.test(
  'requests served by different processes, streamed or not, share a session, its reviews and its prompts',
  async (t) => {
    const app = await listeningApp(t);
    const { id: integration, key } = await app.integration('REST_API');
    await app.policy(integration, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
    const client = app.client(key);
    const operator = app.client(adminKey);
    const { id } = await client.sessions.create();
    const turn = async (amount: number) => {
      const args = [join(import.meta.dirname, 'turn.ts'), app.url, key, id, String(amount)];
      return (await run(process.execPath, args)).stdout;
    };
    const held = await Promise.all([turn(7), turn(7)]);
    for (const read of held) t.match(read, /waiting for approval/);
    const { data } = await operator.reviews.list();
    t.equal(data.length, 1, 'two processes, one review');
    await operator.reviews.approve(`${data[0]?.id}`);
    t.match(await turn(7), /paid 7/);

    const streamed = async (messages: object[] = []) => {
      const program = join(import.meta.dirname, 'streamed-turn.ts');
      const { stdout } = await run(process.execPath, [program, app.url, key, id, JSON.stringify(messages)]);
      return JSON.parse(stdout);
    };
    const asked = await streamed();
    t.equal(asked.approvals.length, 1, 'the approval is used up: a stream asks for another one');
    const [open] = (await operator.reviews.list({ status: 'PENDING' })).data;
    await operator.reviews.reject(`${open?.id}`, { comment: 'once is enough' });
    // What the program's own page says, which is not a reviewer of Assize.
    const [approvalId] = asked.approvals;
    const answer = {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved: true }],
    };
    const { read } = await streamed([...asked.messages, answer]);
    t.match(read, /rejected by a reviewer, who says: once is enough/);
    t.notMatch(read, /paid/);
    const { data: evaluations } = await client.sessions.evaluations(id, { size: 200 });
    const prompts = evaluations.filter(
      ({ phase, input }) => phase === 'PROMPT' && /"user"/.test(JSON.stringify(input)),
    );
    t.ok(prompts.length <= 2, 'the prompt is evaluated by no process that came later');
  },
);
