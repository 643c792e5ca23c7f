import t from 'tap';
import { startApp } from '../../helpers/app.ts';
import { replayAll } from './replay-all.ts';

t.test(
  'parallel evaluations of one millisecond are replayed in the order in which they were recorded',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
    await app.policy(
      id,
      `
schemaVersion: 1
name: many
rules:
  - { id: many, when: session.actionCount >= 10, effect: WARN }
`,
    );
    const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
    const request = { sessionId: body.data.id, input: { tool: 'x' } };
    await Promise.all(Array.from({ length: 25 }, () => app.call(key, 'POST', '/v1/evaluate', request)));
    t.match((await replayAll(app.database)).result, { evaluations: 25, changed: 0 });
  },
);
