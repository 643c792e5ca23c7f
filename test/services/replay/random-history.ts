import { createRandom } from '../../durability/random.ts';
import { adminKey, type TestApp } from '../../helpers/app.ts';

/** Policies that read all that is remembered, in two versions each. */
const documentsInAllScopes = (version: number): string[] => [
  `
schemaVersion: 1
name: limits
params: { most: ${version === 1 ? 6 : 9} }
counters:
  paid: { over: session, where: 'tool == "pay"', add: arguments.amount }
  ofEntity: { over: entity, where: 'tool == "pay" && arguments.amount > 5' , counts: ATTEMPTED, within: 2h }
  inTree: { over: tree, where: 'tool == "search" || tool == "read"' }
  everywhere: { over: integration, where: 'tool == "mail"', per: arguments.to, within: 30m }
  rejected: { over: entity, counts: REJECTED, within: 2h }
  rejectedTo: { over: integration, counts: REJECTED, where: 'tool == "mail" || tool == "post"', per: arguments.to, within: 4h }
${version === 1 ? '' : '  later: { over: entity, where: \'decision.enforcementAction == "WARN"\', within: 6h }\n'}
severityFloors: { CRITICAL: BLOCK }
rules:
  - id: pays-much
    tool: pay
    when: counters.paid + arguments.amount > 60.0
    effect: APPROVAL_REQUIRED
    severity: MEDIUM
  - id: entity-pays
    when: counters.ofEntity > params.most
    effect: WARN
  - id: mails
    tool: mail
    when: counters.everywhere[arguments.to] >= 3
    effect: BLOCK
    severity: HIGH
${version === 1 ? '' : '  - id: many-warnings\n    when: counters.later > 12\n    effect: WARN\n'}
  - id: entity-rejected
    when: counters.rejected >= 2
    effect: WARN
  - id: rejected-to
    tool: [mail, post]
    when: counters.rejectedTo[input.to] >= 2
    effect: WARN
    severity: HIGH
  - id: searches
    tool: [search, read]
    when: counters.inTree >= params.most
    effect: WARN
  - id: late
    when: session.actionCount > 15
    escalate: 1
`,
  `
schemaVersion: 1
name: flows
rules:
  - id: reads
    tool: read
    when: "true"
    label: [UNTRUSTED]
  - id: after-untrusted
    tool: [mail, post]
    when: "'UNTRUSTED' in session.labels"
    effect: APPROVAL_REQUIRED
    approval: { expiresIn: 20m }
  - id: invented
    tool: mail
    when: size(seen(arguments.to)) == 0 && session.actionCount > ${version + 3}
    effect: WARN
  - id: from-a-read
    tool: mail
    when: seen(arguments.to).exists(s, s.phase == "RESULT" && "UNTRUSTED" in s.labels)
    effect: WARN
  - id: again
    when: session.repeats >= ${version + 1}
    effect: ${version === 1 ? 'WARN' : 'BLOCK'}
  - id: results
    on: [RESULT, PROMPT]
    when: "'EMAIL_ADDRESS' in dataTags"
    effect: WARN
  - id: rejected-before
    when: session.rejectionCount >= 1 && session.rejectionCount < 3
    effect: WARN
  - id: tree-rejected
    when: tree.rejectionCount >= 3
    effect: WARN
    severity: HIGH
  - id: recent
    when: session.recentActions.exists(a, a.tool == "post" && a.enforcementAction == "WARN")
    effect: WARN
    severity: HIGH
  - id: broken
    tool: broken
    when: input.missing.deeper == 1
    effect: WARN
  - id: tree
    when: tree.actionCount > 20 && session.depth > 0
    effect: WARN
  - id: listed
    tool: post
    when: arguments.to in lists.partners
    effect: BLOCK
`,
];

export const documentsInSessions = (version: number): string[] =>
  documentsInAllScopes(version).map((document) => document.replace(/over: \w+/g, 'over: session'));

const tools = ['pay', 'mail', 'read', 'post', 'broken', 'search'];
const addresses = ['ada@example.com', 'bob@example.org', 'eve@example.net'];

interface Held {
  key: string;
  body: Record<string, unknown>;
  reviewRequestId: string;
}

/** Records evaluations of agents, sub-agents and reviewers through the real app, while operators change what decides. */
export async function recordHistory(
  app: TestApp,
  {
    seed,
    contentRetention,
    steps,
    countsIn = 'all scopes',
  }: {
    seed: number;
    contentRetention: 'full' | 'redacted' | 'none';
    steps: number;
    countsIn?: 'all scopes' | 'sessions';
  },
) {
  const { next: random, pick } = createRandom(seed);
  const documents = countsIn === 'sessions' ? documentsInSessions : documentsInAllScopes;
  const must = async (...call: Parameters<TestApp['call']>) => {
    const response = await app.call(...call);
    if (response.status >= 300) throw new Error(`${call[1]} ${call[2]}: ${response.text}`);
    return response.body.data;
  };
  const asYaml = { 'content-type': 'application/yaml' };
  await must(adminKey, 'POST', '/v1/lists', { name: 'partners', kind: 'ACCOUNTS', entries: ['acme'] });
  const [partners] = (await app.call(adminKey, 'GET', '/v1/lists')).body.data;
  const integrations = [
    await app.integration('REST_API', { contentRetention }),
    await app.integration('REST_API', { contentRetention }),
  ];
  const policyIds: string[] = [];
  for (const document of documents(1)) {
    const { id } = await must(adminKey, 'POST', '/v1/policies?activate=true', document, asYaml);
    policyIds.push(id);
    for (const one of integrations) await must(adminKey, 'PUT', `/v1/integrations/${one.id}/policies/${id}`);
  }
  await must(adminKey, 'PATCH', `/v1/integrations/${integrations[0]?.id}`, {
    settings: { delegatesTo: [integrations[1]?.id] },
  });
  const entities = ['0190c0de-0000-7000-8000-000000000001', '0190c0de-0000-7000-8000-000000000002'];
  interface Open {
    id: string;
    integration: (typeof integrations)[number];
    isOver: boolean;
  }
  const sessions: Open[] = [];
  const held: Held[] = [];
  const through: { id: string; key: string }[] = [];
  const actions: Record<string, number> = {};
  let evaluations = 0;
  let middle = 0;

  async function open(): Promise<void> {
    const over = sessions.filter(({ isOver }) => isOver);
    const previous = over.length > 0 && random() < 0.4 ? pick(over) : undefined;
    const parent = !previous && random() < 0.4 ? pick(sessions) : undefined;
    const integration =
      previous?.integration ??
      (parent && parent.integration === integrations[1] ? parent.integration : pick(integrations));
    const { status, body } = await app.call(integration.key, 'POST', '/v1/evaluation-sessions', {
      ...(random() < 0.7 && !parent && !previous && { entityId: pick(entities) }),
      ...(parent && { parentSessionId: parent.id }),
      ...(previous && { previousSessionId: previous.id }),
    });
    if (status === 201) sessions.push({ id: body.data.id, integration, isOver: false });
  }

  async function evaluate(key: string, body: Record<string, unknown>): Promise<void> {
    const response = await app.call(key, 'POST', '/v1/evaluate', body);
    if (response.status !== 200) {
      if (response.status >= 500) throw new Error(response.text);
      return;
    }
    const { data } = response.body;
    evaluations++;
    actions[data.enforcementAction] = (actions[data.enforcementAction] ?? 0) + 1;
    if (data.reviewRequestId && !body.reviewRequestId)
      held.push({ key, body, reviewRequestId: data.reviewRequestId });
    const isAction = !('phase' in body);
    if (isAction && ['ALLOW', 'WARN'].includes(data.enforcementAction))
      through.push({ id: data.evaluationRunId, key });
  }

  /** A call in one of the shapes in which they come. */
  const shaped = ({ tool, ...args }: { tool: string; [name: string]: unknown }): Record<string, unknown> => {
    const shape = random();
    if (shape < 0.2) return { tool, ...args };
    if (shape < 0.4) return { tool, arguments: args };
    if (shape < 0.6) return { function: { name: tool, arguments: JSON.stringify(args) } };
    if (shape < 0.8) return { method: 'tools/call', params: { name: tool, arguments: args } };
    return { tool, input: args };
  };

  const argumentsOf = (tool: string): { tool: string; [name: string]: unknown } => {
    if (tool === 'pay')
      return { tool, amount: Math.floor(random() * 12), note: pick(['x', 'for ada@example.com']) };
    if (tool === 'mail') return { tool, to: pick(addresses), text: pick(['hello', 'call 030 1234567']) };
    if (tool === 'post') return { tool, to: pick(['acme', 'other']), text: pick(addresses) };
    return { tool, query: pick(['a', 'b', 'c']) };
  };
  const inputOf = (tool: string): Record<string, unknown> => shaped(argumentsOf(tool));

  for (let step = 0; step < steps; step++) {
    if (step === Math.floor(steps / 2)) middle = app.clock.now();
    const choice = random();
    if (random() < 0.8) app.clock.advance(Math.floor(random() * 60_000));
    const alive = sessions.filter(({ isOver }) => !isOver);
    if (alive.length < 6 || choice < 0.02) await open();
    else if (choice < 0.03) {
      const one = pick(alive);
      one.isOver = true;
      await app.call(one.integration.key, 'POST', `/v1/evaluation-sessions/${one.id}/end`, {});
    } else if (choice < 0.04) {
      await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${pick(alive).id}/remove-label`, {
        label: 'UNTRUSTED',
      });
    } else if (choice < 0.09 && held.length > 0) {
      const { reviewRequestId } = pick(held.slice(-8));
      await app.call(
        adminKey,
        'POST',
        `/v1/reviews/${reviewRequestId}/${random() < 0.7 ? 'approve' : 'reject'}`,
        {},
      );
    } else if (choice < 0.2 && held.length > 0) {
      const { key, body, reviewRequestId } = pick(held.slice(-8));
      await evaluate(key, { ...body, reviewRequestId });
    } else if (choice < 0.28 && through.length > 0) {
      const { id, key } = pick(through.slice(-8));
      await evaluate(key, {
        phase: 'RESULT',
        resultOf: id,
        status: 'OK',
        input: { text: pick([...addresses, 'nothing']) },
      });
    } else if (choice < 0.32) {
      const { id, integration } = pick(alive);
      await evaluate(integration.key, {
        phase: 'PROMPT',
        sessionId: id,
        input: { prompt: `write to ${pick(addresses)}` },
      });
    } else if (choice < 0.36) await evaluate(pick(integrations).key, { input: inputOf(pick(tools)) });
    else {
      const { id, integration } = pick(alive);
      await evaluate(integration.key, { sessionId: id, input: inputOf(pick(tools)) });
    }
    if (step === Math.floor(steps / 3))
      await must(adminKey, 'PUT', `/v1/policies/${policyIds[0]}`, documents(2)[0], asYaml);
    if (step === Math.floor(steps / 2)) {
      await must(adminKey, 'PATCH', `/v1/lists/${partners.id}`, { add: ['other'] });
      await must(adminKey, 'PUT', `/v1/policies/${policyIds[1]}`, documents(2)[1], asYaml);
    }
    if (step === Math.floor(steps * 0.7))
      await must(adminKey, 'PUT', `/v1/integrations/${integrations[0]?.id}/policies/${policyIds[0]}`, {
        params: { most: 3 },
      });
    if (countsIn === 'sessions') continue;
    if (step === Math.floor(steps * 0.8))
      await must(adminKey, 'DELETE', `/v1/integrations/${integrations[1]?.id}/policies/${policyIds[0]}`);
    if (step === Math.floor(steps * 0.9))
      await must(adminKey, 'PUT', `/v1/integrations/${integrations[1]?.id}/policies/${policyIds[0]}`);
  }
  return {
    evaluations,
    actions,
    middle,
    policyIds,
    integrationIds: integrations.map(({ id }) => id),
    sessionIds: sessions.map(({ id }) => id),
  };
}
