import t from 'tap';
import { SessionView } from '../../src/services/session-view.ts';
import type { SessionContext } from '../../src/store/store.ts';
import { startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';

t.test('rules see the session as the contract names its parts', async (t) => {
  const context: SessionContext = {
    id: 's',
    entityId: 'e',
    metadata: '{"b":1,"a":{"c":[2]}}',
    startedAt: 7,
    actionCount: 4,
    warningCount: 1,
    blockCount: 2,
    reviewCount: 3,
    dataTags: ['PII'],
    toolCounts: new Map([['x', 2]]),
    attemptCounts: new Map([['x', 3]]),
    recentActions: [
      { seq: 4, tool: 'x', targetKey: null, dataTags: [], enforcementAction: 'BLOCK', severity: null, at: 9 },
    ],
  };
  const view = new SessionView(context, new Set());
  t.match(view, { id: 's', entityId: 'e', startedAt: 7, actionCount: 4, warningCount: 1, blockCount: 2 });
  t.equal(view.reviewCount, 3);
  t.strictSame(view.dataTags, ['PII']);
  t.strictSame(view.toolsUsed, ['x']);
  t.strictSame([...view.toolCounts], [['x', 2]]);
  t.strictSame([...view.attemptCounts], [['x', 3]]);
  t.strictSame(view.metadata, { b: 1, a: { c: [2] } });
  t.equal(view.metadata, view.metadata, 'read once');
  t.strictSame(view.recentActions, [{ ...context.recentActions[0], targetKey: '' }]);
});

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
