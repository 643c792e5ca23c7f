import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';

const policy = `
schemaVersion: 1
name: refunds
params: { limit: 400 }
severityFloors: { HIGH: BLOCK }
variables: { spent: counters.refunds + arguments.amount }
counters:
  refunds: { over: session, where: 'tool == "refund"', add: input.amount, per: [] }
rules:
  - id: refund-limit
    tool: refund
    when: vars.spent > params.limit
    effect: WARN
    severity: MEDIUM
  - id: second-look
    when: session.warningCount > 5 || targetKey == "x"
    effect: WARN
  - id: prompts
    on: [PROMPT]
    when: "true"
    effect: WARN
  - id: broken
    tool: broken
    when: input.missing == 1
    effect: WARN
  - id: late
    when: session.actionCount >= 4 && tool == "refund"
    escalate: 1
`.replace(', per: []', '');

t.test('an explanation names the rules, what they read, and the actions that it comes from', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, policy);
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const sessionId = session.body.data.id;
  const evaluate = async (input: object) => {
    const { body, text } = await app.call(key, 'POST', '/v1/evaluate', { sessionId, input });
    t.ok(body.data, text);
    return body.data;
  };
  await evaluate({ tool: 'search' });
  await evaluate({ tool: 'refund', amount: 100 });
  await evaluate({ tool: 'search' });
  await evaluate({ tool: 'refund', amount: 150 });
  const last = await evaluate({ function: { name: 'refund', arguments: '{"amount":200}' } });
  t.equal(last.enforcementAction, 'BLOCK');
  await evaluate({ tool: 'refund', amount: 1 });

  const explain = async (evaluationRunId: string) => {
    const { body, text } = await app.call(adminKey, 'GET', `/v1/evaluations/${evaluationRunId}?explain=true`);
    t.ok(body.data?.explanation, text);
    return body.data.explanation;
  };
  const explanation = await explain(last.evaluationRunId);
  const [{ rules }] = explanation.policies;
  const ruleOf = (ruleId: string) => rules.find((rule: { ruleId: string }) => rule.ruleId === ruleId);
  t.match(ruleOf('refund-limit'), {
    when: 'vars.spent > params.limit',
    result: 'MATCHED',
    raisedFrom: 'MEDIUM',
    escalatedBy: ['refunds/late'],
    strengthenedFrom: 'WARN',
    strengthenedBy: 'FLOOR',
  });
  const readsOf = (ruleId: string) =>
    Object.fromEntries(ruleOf(ruleId).reads.map(({ path, ...read }: { path: string }) => [path, read]));
  t.strictSame(readsOf('refund-limit'), {
    'params.limit': { value: 400, why: null, actions: [] },
    'counters.refunds': { value: 250, why: null, actions: [2, 4] },
    'arguments.amount': { value: 200, why: null, actions: [] },
  });
  t.equal(ruleOf('second-look').result, 'NOT_MATCHED');
  t.match(readsOf('second-look'), { 'session.warningCount': { value: 0, actions: [] } });
  t.equal(ruleOf('prompts').result, 'NOT_APPLICABLE');
  t.equal(ruleOf('broken').result, 'NOT_APPLICABLE');
  t.match(ruleOf('late'), { result: 'ESCALATES', reads: [{ path: 'session.actionCount', value: 4 }, {}] });
  t.equal(explanation.review, null);
  t.match(
    explanation.text,
    /^The action refund, action 5 of its session, got BLOCK\. The rule "refund-limit" of refunds \(version 1\) matched: .*counters\.refunds is 250 \(actions 2 and 4\).*; escalation raised its severity from MEDIUM, by "late" \(session\.actionCount is 4 and tool is "refund"\); a severity floor made it stricter than its effect, WARN\. 4 other rules found nothing\.$/,
  );

  const broken = await evaluate({ tool: 'broken' });
  t.match(
    (await explain(broken.evaluationRunId)).text,
    /The rule "broken" of refunds \(version 1\) could not be evaluated: input\.missing is not known, because the input does not have it/,
  );

  const own = await app.call(key, 'GET', `/v1/evaluations/${last.evaluationRunId}?explain=true`);
  t.equal(own.status, 403, 'an agent learns no thresholds');
  t.equal(
    (await app.call(key, 'GET', `/v1/evaluations/${last.evaluationRunId}`)).body.data.explanation,
    undefined,
  );
  const shown = await run(['explain', last.evaluationRunId, '--database', app.database]);
  t.strictSame([shown.code, shown.out.trim()], [0, explanation.text]);
});

t.test('an explanation shows nothing that retention hides, and names approvals', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'none' });
  await app.policy(
    id,
    `
schemaVersion: 1
name: payments
counters:
  paid: { over: session, where: 'tool == "pay"', add: input.amount }
rules:
  - id: large
    tool: pay
    when: input.amount > 10 && counters.paid >= 0
    effect: APPROVAL_REQUIRED
`,
  );
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const action = { sessionId: session.body.data.id, input: { tool: 'pay', amount: 918_273_645 } };
  const held = (await app.call(key, 'POST', '/v1/evaluate', action)).body.data;
  const url = (run: string) => `/v1/evaluations/${run}?explain=true`;
  const waiting = (await app.call(adminKey, 'GET', url(held.evaluationRunId))).body.data.explanation;
  t.match(waiting.review, { role: 'HOLDS', status: 'PENDING', decidedBy: null });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  const passed = (
    await app.call(key, 'POST', '/v1/evaluate', { ...action, reviewRequestId: held.reviewRequestId })
  ).body.data;
  t.equal(passed.enforcementAction, 'ALLOW');
  const { body, text } = await app.call(adminKey, 'GET', url(passed.evaluationRunId));
  t.notMatch(text, /918273645/);
  const { explanation } = body.data;
  t.match(explanation.review, { role: 'APPROVES', status: 'CONSUMED', decidedBy: 'owner' });
  t.match(
    explanation.text,
    /input\.amount is not known, because content was not kept.*let through by an approval of action 1, given by owner at/,
  );
});

t.test(
  'an explanation names where values were seen, what labelled the session, and the grant of an earlier approval',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
    await app.policy(
      id,
      `
schemaVersion: 1
name: posts
variables: { to: input.to }
counters:
  everywhere: { over: tree, where: 'tool == "post"' }
rules:
  - { id: label, tool: read, when: "true", label: [UNTRUSTED], effect: WARN, severity: LOW }
  - id: post
    tool: post
    when: seen(vars.to).exists(s, s.whole) && "UNTRUSTED" in session.labels && tree.actionCount >= 0 && counters.everywhere >= 0
    effect: APPROVAL_REQUIRED
    approval: { grant: { same: [tool, input.to], uses: 2 } }
  - { id: long, when: session.actionCount > 50, escalate: 1 }
`,
    );
    const sessionId = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
    const evaluate = async (input: object, rest: object = {}) => {
      const { body, text } = await app.call(key, 'POST', '/v1/evaluate', { sessionId, input, ...rest });
      t.ok(body.data, text);
      return body.data;
    };
    const explain = async ({ evaluationRunId }: { evaluationRunId: string }) =>
      (await app.call(adminKey, 'GET', `/v1/evaluations/${evaluationRunId}?explain=true`)).body.data
        .explanation;
    await evaluate({ tool: 'list' });
    const read = await evaluate({ tool: 'read', file: 'notes.txt' });
    await evaluate(
      { answer: 'evil.example' },
      { phase: 'RESULT', resultOf: read.evaluationRunId, status: 'OK' },
    );
    const held = await evaluate({ tool: 'post', to: 'evil.example', text: 'a' });
    t.equal(held.enforcementAction, 'APPROVAL_REQUIRED');
    const why = await explain(held);
    const [label, post, long] = why.policies[0].rules;
    t.strictSame([label.result, post.result, long.result], ['NOT_APPLICABLE', 'MATCHED', 'NOT_MATCHED']);
    t.match(
      post.reads.find(({ path }: { path: string }) => path === 'seen'),
      {
        value: ['evil.example'],
        why: null,
        actions: [2],
      },
    );
    t.match(why.text, /seen is \["evil\.example"\] \(action 2\)/);
    t.match(why.text, /session\.labels is \["UNTRUSTED"\] \(action 2\)/);
    t.match(
      why.text,
      /tree\.actionCount is not known, because what the other sessions of its tree did counts as well/,
    );
    t.match(
      why.text,
      /counters\.everywhere is not known, because it counts in other sessions of the tree too/,
    );

    await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
    const resumed = await evaluate(
      { tool: 'post', to: 'evil.example', text: 'a' },
      { reviewRequestId: held.reviewRequestId },
    );
    t.match(
      (await explain(resumed)).text,
      /It was let through by an approval of action 3, given by owner at/,
    );
    const like = await evaluate({ tool: 'post', to: 'evil.example', text: 'b' });
    t.equal(like.enforcementAction, 'ALLOW');
    const granted = await explain(like);
    t.match(granted, {
      review: null,
      grants: [{ reviewRequestId: held.reviewRequestId, rule: 'posts/post', action: 3, decidedBy: 'owner' }],
    });
    t.match(
      granted.text,
      /What posts\/post held was let through by a grant: the approval of action 3 by owner at \S+ covers its like\.$/,
    );
  },
);

t.test('an explanation reads the params, lists, labels and tools of then, and guesses nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const list = { name: 'closed', kind: 'ACCOUNTS', entries: ['acme'] };
  const { body: created } = await app.call(adminKey, 'POST', '/v1/lists', list);
  const policyId = await app.policy(
    id,
    `
schemaVersion: 1
name: terms
params: { most: 1 }
counters:
  writes: { over: session, where: toolEffect == "WRITE" }
  closed: { over: session, where: 'tool == "post" && input.to in lists.closed' }
rules:
  - { id: label, tool: read, when: "true", label: [UNTRUSTED, PRIVATE], effect: WARN, severity: LOW }
  - id: post
    tool: post
    when: >-
      counters.writes >= params.most && counters.closed >= 0 && input.to in lists.closed
      && session.labels.size() > 0 && toolEffect == "WRITE"
    effect: WARN
`,
  );
  const bind = (params: object, mode = 'ENFORCE') =>
    app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${policyId}`, { params, mode });
  const putTools = (effect: string) =>
    app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, { tools: [{ name: 'post', effect }] });
  t.equal((await bind({ most: 2 })).status, 200);
  t.equal((await putTools('WRITE')).status, 200);
  app.clock.advance(1000);
  const sessionId = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
  const evaluate = async (input: object) =>
    (await app.call(key, 'POST', '/v1/evaluate', { sessionId, input })).body.data;
  const removeLabel = async (label: string) => {
    const url = `/v1/evaluation-sessions/${sessionId}/remove-label`;
    t.equal((await app.call(adminKey, 'POST', url, { label })).status, 200);
  };
  await evaluate({ tool: 'read' });
  await removeLabel('PRIVATE');
  await evaluate({ tool: 'post', to: 'acme' });
  await removeLabel('UNTRUSTED');
  await evaluate({ tool: 'read' });
  await evaluate({ tool: 'post', to: 'acme' });
  await removeLabel('PRIVATE');
  const held = await evaluate({ tool: 'post', to: 'acme' });
  t.equal(held.enforcementAction, 'WARN');

  const url = `/v1/evaluations/${held.evaluationRunId}?explain=true`;
  const readsOf = async () => {
    const { policies } = (await app.call(adminKey, 'GET', url)).body.data.explanation;
    t.equal(policies[0].mode, 'ENFORCE');
    const { reads } = policies[0].rules[1];
    return Object.fromEntries(reads.map(({ path, ...read }: { path: string }) => [path, read]));
  };
  const then = {
    'counters.writes': { value: 2, why: null, actions: [2, 4] },
    'counters.closed': { value: 2, why: null, actions: [2, 4] },
    'params.most': { value: 2, why: null, actions: [] },
    'lists.closed': { value: ['acme'], why: null, actions: [] },
    'session.labels': { value: ['UNTRUSTED'], why: null, actions: [1, 3] },
    toolEffect: { value: 'WRITE', why: null, actions: [] },
  };
  t.match(await readsOf(), then);

  app.clock.advance(1000);
  await bind({ most: 7 }, 'MONITOR');
  const changed = await app.call(adminKey, 'PATCH', `/v1/lists/${created.data.id}`, { add: ['other'] });
  t.equal(changed.status, 200, changed.text);
  await removeLabel('UNTRUSTED');
  t.match(await readsOf(), then, 'what changed afterwards changes nothing');
  await putTools('READ');
  const unknown = await readsOf();
  t.match(unknown.toolEffect, { value: null, why: 'the tool catalogue was changed since' });
  t.match(unknown['counters.writes'], { value: null, why: /not known any more/ });
});

t.test(
  'a counter that reads content that was not kept is not known, even where nothing counted',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('REST_API', { contentRetention: 'none' });
    await app.policy(
      id,
      `
schemaVersion: 1
name: hurried
counters:
  urgent: { over: session, where: has(input.urgent) }
  blocked: { over: session, counts: ATTEMPTED, where: decision.enforcementAction == "WARN" }
rules:
  - { id: hurry, when: counters.urgent >= 1 || counters.blocked >= 1 || tool == "a", effect: WARN }
`,
    );
    const sessionId = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data.id;
    const evaluate = async (input: object) =>
      (await app.call(key, 'POST', '/v1/evaluate', { sessionId, input })).body.data;
    await evaluate({ tool: 'a', urgent: 'secret-word' });
    const last = await evaluate({ tool: 'b' });
    const { body, text } = await app.call(
      adminKey,
      'GET',
      `/v1/evaluations/${last.evaluationRunId}?explain=true`,
    );
    t.notMatch(text, /secret-word/);
    const { reads } = body.data.explanation.policies[0].rules[0];
    t.match(reads, [
      { path: 'counters.blocked', value: 1, actions: [1] },
      { path: 'counters.urgent', value: null, why: /not known any more/ },
      { path: 'tool', value: 'b' },
    ]);
  },
);
