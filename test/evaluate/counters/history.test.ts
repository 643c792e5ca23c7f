import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const hour = 3_600_000;
const unlimited = { ASSIZE_RATE_LIMIT_INTEGRATION: '0' };
const person = '00000000-0000-4000-8000-0000000000aa';

const policy = (counters: string, shown: string) => `
schemaVersion: 1
name: p
counters:
  ${counters}
rules:
  - { id: show, when: tool == "show", effect: WARN, message: '{{${shown}}}' }
  - { id: stop, when: tool == "stop", effect: BLOCK }
`;

async function start(t: Test, settings: object = {}, app?: TestApp) {
  const at = app ?? (await startApp(t, unlimited));
  const { id, key } = await at.integration('AGENT', settings);
  const send = async (body: object) => (await at.call(key, 'POST', '/v1/evaluate', body)).body.data;
  const open = async (entityId: string | null = person): Promise<{ sessionId: string }> => {
    const body = entityId === null ? {} : { entityId };
    return { sessionId: (await at.call(key, 'POST', '/v1/evaluation-sessions', body)).body.data.id };
  };
  const shown = async (session: object = {}): Promise<string> => {
    const { violations } = await send({ input: { tool: 'show' }, ...session });
    return violations.map(({ message }: { message: string }) => message).join();
  };
  return { app: at, id, key, send, open, shown };
}

t.test('a new counter knows what was recorded before, in each scope, window and phase', async (t) => {
  const { app, id, send, open, shown } = await start(t);
  const [one, two, other] = [await open(), await open(), await open(null)];
  const pay = (session: object, amount: number, customer: string) =>
    send({ input: { tool: 'pay', amount, customer }, ...session });
  await pay(one, 100, 'c1');
  app.clock.advance(2 * hour);
  const { evaluationRunId } = await pay(one, 20, 'c1');
  await send({ phase: 'RESULT', resultOf: evaluationRunId, status: 'OK', input: { ok: true } });
  await pay(two, 3, 'c2');
  await pay(other, 0.5, 'c2');
  await send({ input: { tool: 'stop', amount: 1 }, ...one });
  await send({ input: { tool: 'reset' }, ...two });
  await pay(two, 4, 'c3');
  await app.policy(
    id,
    policy(
      `session: { over: session, where: tool == "pay", add: input.amount }
  recent: { over: entity, within: 1h, where: tool == "pay", add: input.amount }
  person: { over: entity, within: 24h, where: tool == "pay", add: input.amount }
  all: { over: integration, within: 24h, where: tool == "pay", add: input.amount }
  blocked: { over: session, counts: BLOCKED }
  results: { over: session, on: RESULT, where: result.status == "OK" }
  since: { over: integration, per: day, where: tool == "pay", reset: tool == "reset" }
  customers: { over: integration, within: 24h, where: tool == "pay", distinct: input.customer, cap: 10 }
  of: { over: integration, within: 24h, where: tool == "pay", per: input.customer }`,
      'counters.session}} {{counters.recent}} {{counters.person}} {{counters.all}} {{counters.blocked}} {{counters.results}} {{counters.since}} {{counters.customers}} {{counters.of["c2"]',
    ),
  );
  t.equal(await shown(one), '120 27 127 127.5 0 1 1 3 2');
  t.equal(await shown(two), '7 27 127 127.5 0 0 1 3 2');
  t.equal(await shown(other), '0.5 0.5 0.5 127.5 0 0 1 3 2');
  t.equal(await shown(), '0 0.5 0.5 127.5 0 0 1 3 2', 'without a session');
  await pay(one, 1_000, 'c9');
  t.equal(await shown(two), '7 1027 1127 1127.5 0 0 2 4 2', 'it counts on from there');
});

t.test('what was not kept lets a counter begin at nothing, if it reads it', async (t) => {
  const app = await startApp(t, unlimited);
  const document = (name: string, sum: number) => `
schemaVersion: 1
name: ${name}
counters:
  sum: { over: session, where: tool == "pay", add: input.amount }
  calls: { over: session, where: tool == "pay" }
  to: { over: session, where: tool == "mail", distinct: input.to, cap: 9 }
  warned: { over: session, where: session.warningCount > 0 }
rules:
  - id: known
    when: counters.sum == ${sum} && counters.calls == 1 && counters.to == 0 && counters.warned == 0
    effect: WARN
`;
  for (const [contentRetention, sum] of Object.entries({ full: 5, redacted: 5, none: 0 })) {
    const { id, send, open } = await start(t, { contentRetention }, app);
    const session = await open();
    await send({ input: { tool: 'pay', amount: 5, note: 'mail ann@example.com' }, ...session });
    await send({ input: { tool: 'mail', to: 'ann@example.com' }, ...session });
    await app.policy(id, document(`p-${contentRetention}`, sum));
    t.match(
      await send({ input: { tool: 'look' }, ...session }),
      { enforcementAction: 'WARN' },
      contentRetention,
    );
  }
});

t.test('requests that need the same record share it, and exactly as many pass as the limit', async (t) => {
  const { app, id, send, open } = await start(t);
  const sessions = await Promise.all(Array.from({ length: 10 }, () => open()));
  const act = (place: number) => send({ input: { tool: 'a', place }, ...sessions[place % 10] });
  await Promise.all(Array.from({ length: 40 }, (_, place) => act(place)));
  await app.policy(
    id,
    `schemaVersion: 1
name: limit
counters: { calls: { over: entity, within: 24h, where: tool == "a" } }
rules: [{ id: limit, when: tool == "a" && counters.calls >= 60, effect: BLOCK }]`,
  );
  const results = await Promise.all(Array.from({ length: 64 }, (_, place) => act(place)));
  t.equal(results.filter(({ enforcementAction }) => enforcementAction === 'ALLOW').length, 20);
});

t.test('what was recorded is counted while others are served', async (t) => {
  const { app, id, key, send, open } = await start(t, { contentRetention: 'full' });
  const session = await open();
  for (let place = 0; place < 2_000; place += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, more) =>
        send({ input: { tool: 'pay', amount: 1, place: place + more }, ...session }),
      ),
    );
  const other = await app.integration();
  const ask = (integrationKey: string, body: object) =>
    app.call(integrationKey, 'POST', '/v1/evaluate', body);
  await app.policy(
    id,
    `schemaVersion: 1
name: sum
counters: { paid: { over: session, where: tool == "pay", add: input.amount } }
rules: [{ id: show, when: counters.paid > 0, effect: WARN, message: '{{counters.paid}}' }]`,
  );
  await ask(other.key, { input: { tool: 'x' } });
  const began = performance.now();
  let counted = false;
  const counting = ask(key, { input: { tool: 'look' }, ...session }).then(({ body }) => {
    counted = true;
    return { ms: performance.now() - began, paid: body.data.violations[0]?.message };
  });
  let served = 0;
  while (!counted) {
    await ask(other.key, { input: { tool: 'x' } });
    if (!counted) served += 1;
  }
  const { ms, paid } = await counting;
  t.equal(paid, '2000');
  t.ok(served >= 3, `${served} others were served in ${Math.round(ms)} ms`);
  t.comment(`${ms} ms`);
});

t.test('a counter that no bound policy had for a while counts what was recorded meanwhile', async (t) => {
  const { app, id, send, open, shown } = await start(t);
  const session = await open();
  const counters = `session: { over: session, where: tool == "pay" }
  person: { over: entity, within: 24h, where: tool == "pay" }
  all: { over: integration, within: 24h, where: tool == "pay" }
  tree: { over: tree, where: tool == "pay" }`;
  const pay = () => send({ input: { tool: 'pay' }, ...session });
  const policyId = await app.policy(
    id,
    policy(counters, 'counters.session}} {{counters.person}} {{counters.all}} {{counters.tree'),
  );
  const bind = (method: 'PUT' | 'DELETE') =>
    app.call(adminKey, method, `/v1/integrations/${id}/policies/${policyId}`);
  await pay();
  t.equal(await shown(session), '1 1 1 1');
  t.match(await bind('DELETE'), { status: 200 });
  t.match(await pay(), { policiesEvaluated: 0 });
  await pay();
  t.match(await bind('PUT'), { status: 200 });
  t.equal(await shown(session), '3 3 3 3');
  await pay();
  t.equal(await shown(session), '4 4 4 4');
});

t.test('a delegator that binds its policy again counts what its delegates did meanwhile', async (t) => {
  const { app, id, send, open, shown } = await start(t);
  const other = await app.integration();
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { delegatesTo: [other.id] } });
  const counters = `entity: { over: entity, within: 24h, where: tool == "pay" }
  all: { over: integration, within: 24h, where: tool == "pay" }
  tree: { over: tree, where: tool == "pay" }
  session: { over: session, where: tool == "pay" }`;
  const shownCounters = 'counters.tree}} {{counters.entity}} {{counters.all}} {{counters.session';
  const policyId = await app.policy(id, policy(counters, shownCounters));
  const bind = (method: 'PUT' | 'DELETE') =>
    app.call(adminKey, method, `/v1/integrations/${id}/policies/${policyId}`);
  for (const own of ['', 'session', 'tree']) {
    if (own !== '') {
      const document = policy(`own: { over: ${own}, where: tool == "x" }`, 'counters.own');
      await app.policy(other.id, document.replace('name: p', `name: ${own}`).replace('"show"', '"x"'));
    }
    const root = await open(null);
    const opened = await app.call(other.key, 'POST', '/v1/evaluation-sessions', {
      parentSessionId: root.sessionId,
    });
    const child = { sessionId: opened.body.data.id };
    const byOther = async (tool: string) =>
      (await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool }, ...child })).body.data;
    const before = Number((await byOther('show')).violations[0].message.split(' ')[1]);
    await byOther('pay');
    await send({ input: { tool: 'pay' }, ...root });
    const of = (tree: number, more: number, session: number) =>
      [tree, before + more, before + more, session].join(' ');
    const shownByOther = async () => (await byOther('show')).violations[0]?.message;
    t.equal(await shownByOther(), of(2, 1, 1));
    await bind('DELETE');
    await byOther('pay');
    await bind('PUT');
    t.match(
      await shown(root),
      /^3 /,
      `the root, first, with a counter over the ${own || 'nothing'} below it`,
    );
    t.equal(await shownByOther(), of(3, 2, 2));
    await bind('DELETE');
    await byOther('pay');
    await bind('PUT');
    t.equal(await shownByOther(), of(4, 3, 3));
    t.match(await shown(root), /^4 /);
  }
});
