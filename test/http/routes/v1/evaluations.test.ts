import t from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';

const idsOf = (body: { data: { evaluationRunId: string }[] }) =>
  body.data.map(({ evaluationRunId }) => evaluationRunId);

t.test('an operator follows what all integrations do, in the order it was recorded', async (t) => {
  const app = await startApp(t);
  const [one, two] = [await app.integration(), await app.integration('REST_API')];
  const made: string[] = [];
  for (const [n, { key }] of [one, two, one, two, one].entries()) {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: `tool ${n}` } });
    made.push(body.data.evaluationRunId);
  }
  const follow = async (query: string) => (await app.call(adminKey, 'GET', `/v1/evaluations${query}`)).body;
  t.strictSame(idsOf(await follow('')), made);
  t.strictSame(idsOf(await follow('?size=2')), made.slice(-2), 'without a place: the last ones');
  t.strictSame(idsOf(await follow(`?after=${made[1]}&size=2`)), made.slice(2, 4), 'else the next ones');
  t.strictSame(idsOf(await follow(`?after=${made[1]?.toUpperCase()}`)), made.slice(2));
  t.strictSame(idsOf(await follow(`?after=${made.at(-1)}`)), []);
  const [first, second] = (await follow('')).data;
  t.match(first, { integrationId: one.id, tool: 'tool 0', seq: 1, enforcementAction: 'ALLOW' });
  t.ok(first.sessionId);
  t.match(second, { integrationId: two.id, sessionId: null, seq: null });
});

t.test('a place that is none is refused', async (t) => {
  const app = await startApp(t);
  for (const [after, message] of [
    ['01980000-0000-7000-8000-000000000000', 'there is no such evaluation'],
    ['x', 'must be a UUID'],
  ]) {
    const { status, body } = await app.call(adminKey, 'GET', `/v1/evaluations?after=${after}`);
    t.equal(status, 400);
    t.strictSame(body.errors, [{ code: 'invalid', message, path: '/after' }]);
  }
  t.strictSame(
    (await app.call(adminKey, 'GET', '/v1/evaluations')).body.data,
    [],
    'with none there is nothing',
  );
});

t.test(
  'an evaluation is read with all that is kept of it, by its integration and by operators',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('REST_API');
    const other = await app.integration('REST_API');
    const made = await app.call(key, 'POST', '/v1/evaluate', {
      input: { tool: 'mail.send', to: 'ann@example.com' },
      targetKey: 'mailbox',
      targetMetadata: { n: 1 },
      correlationId: 'c',
    });
    const { evaluationRunId } = made.body.data;
    const read = (as: string, of: string) => app.call(as, 'GET', `/v1/evaluations/${of}`);
    const own = await read(key, evaluationRunId.toUpperCase());
    t.equal(own.status, 200);
    t.match(own.body.data, {
      evaluationRunId,
      integrationId: id,
      sessionId: null,
      phase: 'ACTION',
      tool: 'mail.send',
      targetKey: 'mailbox',
      targetMetadata: { n: 1 },
      input: { tool: 'mail.send', to: '[EMAIL_ADDRESS]' },
      detections: [{ type: 'EMAIL_ADDRESS' }],
      enforcementAction: 'ALLOW',
    });
    t.equal((await read(adminKey, evaluationRunId)).text, own.text);
    const missing = await read(other.key, '01980000-0000-7000-8000-000000000000');
    const theirs = await read(other.key, evaluationRunId);
    t.equal(theirs.status, 404);
    t.equal(theirs.text, missing.text, "another's is answered like none");
    t.equal((await read(adminKey, '01980000-0000-7000-8000-000000000000')).status, 404);
    t.equal((await read(adminKey, 'x')).status, 400);
  },
);
