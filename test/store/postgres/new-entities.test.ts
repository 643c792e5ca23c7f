import t from 'tap';
import { openStore } from '../../../src/store/open.ts';
import type { NewEvaluation } from '../../../src/store/store.ts';
import { allMigrations, startApp } from '../../helpers/app.ts';
import { needs } from '../contract/counting.ts';
import * as make from '../samples.ts';
import { createDatabase } from './open.ts';

const limit = `schemaVersion: 1
name: most
counters:
  used:
    over: entity
    within: 1h
rules:
  - id: most
    when: counters.used >= 3
    effect: BLOCK
    severity: HIGH
`;

t.test('of the first evaluations of new entities, on two replicas at once, each is counted', async (t) => {
  const database = await createDatabase(t);
  const replicas = [await startApp(t, {}, { database }), await startApp(t, {}, { database })] as const;
  const { id, key } = await replicas[0].integration();
  await replicas[0].policy(id, limit);
  for (let round = 0; round < 10; round++) {
    const entityId = make.newId();
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => replicas[0].call(key, 'POST', '/v1/evaluation-sessions', { entityId })),
    );
    const answers = await Promise.all(
      opened.map(({ body }, n) =>
        replicas[n % 2 === 0 ? 0 : 1].call(key, 'POST', '/v1/evaluate', {
          sessionId: body.data.id,
          input: { tool: 'x' },
        }),
      ),
    );
    t.strictSame(
      answers.map(({ body }) => body.data?.enforcementAction).sort(),
      [...'AAA', ...'BBBBB'].map((letter) => (letter === 'A' ? 'ALLOW' : 'BLOCK')),
    );
  }
});

t.test('a new entity has nothing to count, unless something is recorded in a session of it', async (t) => {
  const store = await openStore(await createDatabase(t), { migrations: allMigrations });
  t.teardown(() => store.close());
  const { id } = await make.createIntegration(store);
  const counted = needs([{ identity: 'c entity', over: 'entity' }]);
  const opened = async (entityId: string) => {
    const session = make.session(id, { entityId });
    await store.sessions.create(session, '{}', null);
    return { id: session.id };
  };
  const kindOf = async (session: NewEvaluation['session'], wanted: NewEvaluation['needs']) => {
    const evaluation = make.evaluation(id, { session, needs: wanted });
    return (await store.evaluations.record(evaluation, () => make.verdict())).kind;
  };
  const [fresh, known, both, many] = Array.from({ length: 4 }, () => make.newId()) as [
    string,
    string,
    string,
    string,
  ];
  t.equal(await kindOf(await opened(fresh), counted), 'recorded');
  t.equal(await kindOf({ open: make.session(id, { entityId: make.newId() }) }, counted), 'recorded');

  t.equal(await kindOf(await opened(known), needs(null)), 'recorded');
  t.equal(await kindOf(await opened(known), counted), 'uncounted');

  const [first, second] = [await opened(both), await opened(both)];
  const inOneBatch = await Promise.all([kindOf(first, needs(null)), kindOf(second, counted)]);
  t.strictSame(inOneBatch, ['recorded', 'uncounted']);

  for (let n = 0; n < 100; n++) await opened(many);
  t.equal(await kindOf(await opened(many), counted), 'uncounted', 'with more sessions than are looked at');
});
