import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { listeningApp } from '../helpers/listen.ts';
import { rule } from '../helpers/policies.ts';

const run = promisify(execFile);

t.test('requests served by different processes share a session, its reviews and its prompts', async (t) => {
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
  t.match(await turn(7), /waiting for approval/, 'the approval is used up');
  const [open] = (await operator.reviews.list({ status: 'PENDING' })).data;
  await operator.reviews.reject(`${open?.id}`, { comment: 'once is enough' });
  t.match(await turn(7), /rejected by a reviewer, who says: once is enough/);
  const { data: evaluations } = await client.sessions.evaluations(id, { size: 200 });
  const prompts = evaluations.filter(
    ({ phase, input }) => phase === 'PROMPT' && /"user"/.test(JSON.stringify(input)),
  );
  t.ok(prompts.length <= 2, 'the prompt is evaluated by no process that came later');
});
