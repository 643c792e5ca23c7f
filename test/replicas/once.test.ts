import t from 'tap';
import { operatorKey } from '../durability/process.ts';
import { proveRecord } from '../durability/record.ts';
import { readStream } from '../helpers/event-stream.ts';
import { until } from '../helpers/until.ts';
import { ask, startPair, startReceiver } from './pair.ts';

// What has to happen once across replicas, and promptly on each: two processes on one database.

const policy = `
schemaVersion: 1
name: some-are-stopped
counters:
  limited: { over: integration, within: 1h, where: tool == "limited" }
rules:
  - { id: limited, tool: limited, when: counters.limited >= 10, effect: BLOCK }
  - { id: blocked, tool: blocked, when: "true", effect: BLOCK }
  - { id: held, tool: held, when: "true", effect: APPROVAL_REQUIRED }
`;

t.test('two replicas act as one service', async (t) => {
  const {
    urls: [one, other],
    link,
    database,
    startRetention,
  } = await startPair(t);
  const [receiver, callbacks] = [await startReceiver(t), await startReceiver(t)];
  const operator = (url: string, method: string, path: string, body?: object | string) =>
    ask(url, operatorKey, method, path, body);
  const { data: integration } = await operator(one, 'POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  const { data: created } = await operator(one, 'POST', '/v1/policies?activate=true', policy);
  await operator(other, 'PUT', `/v1/integrations/${integration.id}/policies/${created.id}`, {});
  const unchanged = 'schemaVersion: 1\nname: changing\nrules: [{ id: r, when: "false", effect: BLOCK }]';
  const { data: changed } = await operator(one, 'POST', '/v1/policies?activate=true', unchanged);
  await operator(other, 'PUT', `/v1/integrations/${integration.id}/policies/${changed.id}`, {});
  const hook = { name: 'all', format: 'EVENTS', url: receiver.url, types: ['evaluation.*'] };
  t.equal((await operator(other, 'POST', '/v1/webhooks', hook)).status, 201);
  const evaluate = (url: string, tool: string, key = integration.apiKey) =>
    ask(url, key, 'POST', '/v1/evaluate', { input: { tool } });
  /** So many requests at once, to either replica in turn. */
  const alternately = <Response>(count: number, send: (url: string, place: number) => Promise<Response>) =>
    Promise.all(Array.from({ length: count }, (_, place) => send(place % 2 ? one : other, place)));
  const streams = await Promise.all(
    [one, other].map((url) => readStream(t, `${url}/v1/events?type=evaluation.*`, operatorKey)),
  );

  await t.test('webhooks, callbacks, streams and statistics have what both decided, each once', async (t) => {
    const held = await alternately(6, (url, serial) => {
      const input = { tool: 'held', serial };
      return ask(url, integration.apiKey, 'POST', '/v1/evaluate', { input, callbackUrl: callbacks.url });
    });
    await alternately(6, (url, place) =>
      operator(url, 'POST', `/v1/reviews/${held[place]?.data.reviewRequestId}/approve`, {}),
    );
    const decided = await alternately(20, (url) => evaluate(url, 'blocked'));
    t.ok(decided.every(({ data }) => data.enforcementAction === 'BLOCK'));
    const eventIds = (stream: (typeof streams)[number]) =>
      stream.messages.flatMap(({ id, data }) => (id && data?.type ? [String(data.id)] : []));
    const arrived = () => [receiver.ids, ...streams.map(eventIds)];
    await until(arrived, (lists) => lists.every(({ length }) => length >= 26));
    await until(
      () => callbacks.ids.length,
      (count) => count >= 6,
    );
    // A second delivery would come by now.
    await new Promise((pass) => setTimeout(pass, 500));
    for (const ids of arrived()) t.strictSame([ids.length, new Set(ids).size], [26, 26]);
    t.strictSame([callbacks.ids.length, new Set(callbacks.ids).size], [6, 6]);
    for (const url of [one, other]) {
      const { data } = await operator(url, 'GET', '/v1/stats?by=tool&unit=day');
      t.match(data, [{ name: 'blocked', evaluations: 20, blocked: 20 }, { name: 'held' }]);
    }
  });

  await t.test('what can be used once is used once, whichever replica is asked', async (t) => {
    const call = (url: string, body: object, headers = {}) =>
      ask(url, integration.apiKey, 'POST', '/v1/evaluate', body, headers);
    const allowed = (responses: Awaited<ReturnType<typeof call>>[]) =>
      responses.filter(({ data }) => data?.enforcementAction === 'ALLOW');
    const { data: opened } = await ask(one, integration.apiKey, 'POST', '/v1/evaluation-sessions', {});
    const inSession = { sessionId: opened.id, input: { tool: 'held' } };
    const { reviewRequestId } = (await call(other, inSession)).data;
    const decisions = await alternately(2, (url) =>
      operator(url, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {}),
    );
    t.equal(decisions.filter(({ status }) => status === 200).length, 1, 'a decision');
    const resumed = await alternately(12, (url) => call(url, { ...inSession, reviewRequestId }));
    t.equal(allowed(resumed).length, 1, 'an approval');
    const action = { sessionId: opened.id, input: { tool: 'x' } };
    const repeated = await alternately(12, (url) => call(url, action, { 'idempotency-key': 'k' }));
    const ids = new Set(repeated.map(({ data }) => data.evaluationRunId));
    t.equal(ids.size, 1, 'an idempotency key');
    const result = { phase: 'RESULT', resultOf: [...ids][0], status: 'OK', input: {} };
    const results = await alternately(12, (url) => call(url, result));
    t.equal(results.filter(({ status }) => status === 200).length, 1, 'an action gets one result');
  });

  await t.test('a policy that is changed at one replica decides at the other from then on', async (t) => {
    for (const effect of ['BLOCK', 'ALLOW', 'BLOCK', 'ALLOW']) {
      const rule = `rules: [{ id: r, tool: changing, when: "${effect === 'BLOCK'}", effect: BLOCK }]`;
      const path = `/v1/policies/${changed.id}`;
      await operator(one, 'PUT', path, `schemaVersion: 1\nname: changing\n${rule}`);
      t.equal((await operator(one, 'POST', `${path}/activate`, {})).status, 200);
      const decided = await Promise.all(Array.from({ length: 6 }, () => evaluate(other, 'changing')));
      t.ok(decided.every(({ data }) => data.enforcementAction === effect));
    }
  });

  await t.test('who waits at one replica hears of a decision at the other', async (t) => {
    const { data: held } = await evaluate(one, 'held');
    const waiting = ask(one, integration.apiKey, 'GET', `/v1/reviews/${held.reviewRequestId}?wait=20`);
    const startedAt = performance.now();
    const decision = await operator(other, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
    t.equal(decision.status, 200, JSON.stringify(decision));
    t.match(await waiting, { data: { status: 'APPROVED' } });
    t.ok(performance.now() - startedAt < 5_000, 'long before the wait is over');
  });

  await t.test('a key that is revoked at one replica decides nothing more at the other', async (t) => {
    for (let round = 0; round < 2; round++) {
      const keys = `/v1/integrations/${integration.id}/keys`;
      const { data: issued } = await operator(one, 'POST', keys, { name: `${round}` });
      const used = await Promise.all([
        evaluate(one, 'x', issued.apiKey),
        evaluate(other, 'x', issued.apiKey),
      ]);
      t.strictSame(
        used.map(({ status }) => status),
        [200, 200],
      );
      await operator(one, 'POST', `${keys}/${issued.id}/revoke`, {});
      const after = await Promise.all(Array.from({ length: 5 }, () => evaluate(other, 'x', issued.apiKey)));
      t.strictSame(
        after.map(({ status }) => status),
        Array(5).fill(401),
      );
    }
  });

  await t.test('roots of the record are signed one after another, whoever is asked', async (t) => {
    for (let round = 0; round < 2; round++) {
      await Promise.all([one, other].map((url) => evaluate(url, 'x')));
      // Each export signs a root over what was recorded before it.
      const problems = await Promise.all([one, other].map(proveRecord));
      t.strictSame(problems.flat(), []);
    }
    const roots = await Promise.all(
      [one, other].map(async (url) => (await operator(url, 'GET', '/v1/record/roots')).data),
    );
    t.strictSame(roots[0], roots[1]);
    t.ok(roots[0].length >= 2);
    t.strictSame(
      roots[0].map(({ seq }: { seq: number }) => seq),
      roots[0].map((_: object, place: number) => place + 1),
    );
  });

  await t.test(
    'a replica that is cut off from the database holds up nobody, and a limit stays exact',
    async (t) => {
      const limited = (url: string) => evaluate(url, 'limited');
      await Promise.all([one, other, one, other].map(limited));
      link.partition();
      const meanwhile = Promise.all(Array.from({ length: 6 }, () => limited(other)));
      const served = await Promise.all(Array.from({ length: 4 }, () => limited(one)));
      t.ok(served.every(({ status, data }) => status === 200 && data.enforcementAction === 'ALLOW'));
      link.heal();
      const late = await meanwhile;
      t.ok(late.every(({ status }) => status === 200 || status === 503));
      // What got 503 was not done, or its row says what it used.
      for (let more = 0; more < 6; more++) await limited(other);
      const { rows } = await database.query(
        `SELECT enforcement_action AS action, count(*)::int FROM evaluations WHERE tool = 'limited' GROUP BY 1`,
      );
      t.equal(rows.find(({ action }) => action === 'ALLOW')?.count, 10);
      const answered = late.filter(({ status }) => status === 200).length;
      const recorded = rows.reduce((total, { count }) => total + count, 0);
      t.ok(recorded >= 4 + 4 + answered + 6, 'nothing that was answered is lost');
      t.ok(recorded <= 4 + 4 + 6 + 6, 'and nothing is recorded twice');
    },
  );

  await t.test('both delete old content, each row once', async (t) => {
    await database.query(`UPDATE evaluations SET created_at = created_at - 2 * 86400000`);
    // Deleting takes a second, in which the other one looks as well.
    await database.query(`
      CREATE TABLE deletions (id uuid);
      CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO deletions VALUES (NEW.id); PERFORM pg_sleep(0.01); RETURN NEW; END $$;
      CREATE TRIGGER note_deletion AFTER UPDATE OF input ON evaluations FOR EACH ROW EXECUTE FUNCTION note_deletion()`);
    const services = await startRetention();
    const count = async (condition: string) =>
      (await database.query(`SELECT count(*)::int FROM ${condition}`)).rows[0].count as number;
    await until(
      () => count('evaluations WHERE input IS NOT NULL'),
      (left) => left === 0,
    );
    // A stop lets the step under way finish.
    await Promise.all(services.map((service) => service.stop()));
    t.equal(await count('deletions'), await count('evaluations'));
    t.equal(await count('(SELECT DISTINCT id FROM deletions) AS once'), await count('deletions'));
  });
});
