import t from 'tap';
import { createDecidingPolicies } from '../../src/evaluate/in-force.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { openBeside } from '../helpers/database-beside.ts';
import { longestStep } from '../helpers/longest-step.ts';
import { rule } from '../helpers/policies.ts';

const evaluate = (app: Awaited<ReturnType<typeof startApp>>, key: string) =>
  app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });

t.test(
  'a saved policy that cannot be compiled any more stops every action, until it is mended',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration();
    const other = await app.integration();
    const policyId = await app.policy(id, rule('true', 'WARN'));
    const beside = await openBeside(t, app.database);
    await beside.exec(
      "UPDATE policy_versions SET document = 'schemaVersion: 99\nsecret-words: 1\n' WHERE version = 1",
    );
    for (let times = 0; times < 2; times++) {
      const { status, body, text } = await evaluate(app, key);
      t.equal(status, 500, 'never an ALLOW');
      t.strictSame(body.errors, [{ code: 'internal', message: 'internal server error' }]);
      t.notMatch(text, policyId);
    }
    t.match(app.log.join(''), `policy ${policyId}:1 was saved, but does not check any more`);
    t.notMatch(app.log.join(''), 'secret-words');
    t.equal((await evaluate(app, other.key)).status, 200, 'who is not bound to it goes on');
    const sessions = await app.call(key, 'GET', '/v1/evaluation-sessions');
    t.equal(sessions.body.pagination.total, 0, 'nothing was recorded');
    await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, rule('true', 'BLOCK'), {
      'content-type': 'application/yaml',
    });
    t.match((await evaluate(app, key)).body.data, { enforcementAction: 'BLOCK' });
  },
);

t.test('what decides is loaded once until something changes', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const policyId = await app.policy(id, rule('true', 'WARN'));
  const deciding = createDecidingPolicies({
    store: app.store,
    mostToolNames: 256,
    now: app.clock.now,
    activateDue: () => app.services.dueVersions.sweep(),
    read: app.services.policyChecker.read,
    protection: { tellOnce: () => undefined },
  });
  const now = () => deciding.of(id);
  const first = await now();
  t.strictSame(first.reference, {
    key: `${policyId}:1`,
    members: [{ policyId, version: 1 }],
    terms: [{ policyId, version: 1, params: '{}', mode: null, lists: [] }],
  });
  t.equal(await now(), first);
  const second = await app.policy(id, rule('true', 'WARN'));
  const changed = await now();
  t.strictSame(changed.reference.key, `${policyId}:1,${second}:1`);
  t.equal(changed.policies[0], first.policies[0], 'a version is compiled once');
});

t.test('a failed load is not remembered', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('true', 'WARN'));
  const beside = await openBeside(t, app.database);
  await beside.exec('ALTER TABLE bindings RENAME TO lost');
  const { status, body } = await evaluate(app, key);
  t.equal(status, 503);
  t.match(body.errors, [{ code: 'unavailable' }]);
  await beside.exec('ALTER TABLE lost RENAME TO bindings');
  t.equal((await evaluate(app, key)).body.data.enforcementAction, 'WARN');
});

t.test('#36: policies are compiled one in a turn of the event loop', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const rules = (name: string) =>
    Array.from(
      { length: 100 },
      (_, place) =>
        `  - { id: r${place}, when: 'input.?${name}.orValue("") == "x${place}" || dataTags.exists(tag, tag == "PII")', effect: WARN }`,
    ).join('\n');
  for (const name of 'abcdefgh')
    await app.policy(id, `schemaVersion: 1\nname: large-${name}\nrules:\n${rules(name)}`);
  const before = process.threadCpuUsage();
  const step = await longestStep(async () => {
    t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200);
  });
  const { user, system } = process.threadCpuUsage(before);
  t.ok(step < (user + system) / 1_000 / 2, `${step} ms of ${(user + system) / 1_000} ms`);
});

t.test(
  '#36: where several integrations decide, the record says for which of them each policy does',
  async (t) => {
    const app = await startApp(t);
    const [parent, child] = [await app.integration(), await app.integration()];
    const both = await app.policy(child.id, rule('true', 'WARN'));
    const bind = async (method: string) =>
      app.call(adminKey, method, `/v1/integrations/${parent.id}/policies/${both}`);
    await bind('PUT');
    await app.call(adminKey, 'PATCH', `/v1/integrations/${parent.id}`, {
      settings: { delegatesTo: [child.id] },
    });
    const open = async (key: string, body: object) =>
      (await app.call(key, 'POST', '/v1/evaluation-sessions', body)).body.data.id;
    const sessionId = await open(child.key, { parentSessionId: await open(parent.key, {}) });
    const recorded = async () => {
      const { body } = await app.call(child.key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } });
      t.equal(body.data.policiesEvaluated, 1);
      return app.store.evaluations.findTerms(body.data.evaluationRunId);
    };
    t.match(await recorded(), [{ policyId: both, version: 1, by: [child.id, parent.id] }]);
    await bind('DELETE');
    t.match(await recorded(), [{ policyId: both, version: 1, by: [child.id] }]);
  },
);

t.test(
  '#36: a large policy is read in a thread, for its first evaluation and for explanations',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration();
    const test = (n: number) =>
      `  - { name: t${n}, given: { input: { a: [${Array.from({ length: 150 }, (_, i) => i)}] } }, expect: { enforcementAction: WARN } }`;
    const tests = Array.from({ length: 200 }, (_, n) => test(n)).join('\n');
    const rules = '  - { id: r, when: "true", effect: WARN, message: "{{params.what}}" }';
    const document = `schemaVersion: 1\nname: large\nparams: { what: seen }\n# MONITOR\nrules:\n${rules}\ntests:\n${tests}`;
    await app.policy(id, document);
    let ids: string[] = [];
    const step = await longestStep(async () => {
      const all = Array.from({ length: 20 }, () => app.call(key, 'POST', '/v1/evaluate', { input: {} }));
      ids = (await Promise.all(all)).map(({ body }) => {
        t.match(body.data, { enforcementAction: 'WARN', violations: [{ message: 'seen' }] });
        return body.data.evaluationRunId;
      });
    });
    t.ok(step < 120, `the first evaluations: ${step} ms`);
    const explaining = await longestStep(async () => {
      const { status } = await app.call(adminKey, 'GET', `/v1/evaluations/${ids[0]}?explain=true`);
      t.equal(status, 200);
    });
    t.ok(explaining < 120, `an explanation: ${explaining} ms`);
  },
);
