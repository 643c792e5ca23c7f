import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';

t.test('rules really read metadata, tools and the entity of a session', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(
    id,
    rule('session.metadata[?"team"].orValue("") == "blue" && "first" in session.toolsUsed', 'BLOCK'),
  );
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', { metadata: { team: 'blue' } });
  const decide = async (tool: string) =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { tool }, sessionId: body.data.id })).body.data
      .enforcementAction;
  t.equal(await decide('first'), 'ALLOW');
  t.equal(await decide('second'), 'BLOCK');
});
