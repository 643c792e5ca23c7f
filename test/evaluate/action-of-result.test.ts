// also on PostgreSQL
import t, { type Test } from 'tap';
import type { IntegrationSettings } from '../../src/features/integrations/schema.ts';
import { startApp } from '../helpers/app.ts';

const document = `
schemaVersion: 1
name: steered-reads
rules:
  - { id: for-eve, on: [RESULT], when: 'call.arguments.?who.orValue("") == "eve"', label: [STEERED] }
  - { id: others-mail, on: [RESULT], when: call.arguments.mailbox != "own", effect: BLOCK }
  - { id: has-call, on: [ACTION, PROMPT], when: has(call.arguments.who), effect: BLOCK }
tests:
  - name: a search for eve is steered
    given: { phase: RESULT, tool: find, call: { arguments: { who: eve, mailbox: own } } }
    expect: { enforcementAction: ALLOW, labels: [STEERED] }
  - name: in steps, the result knows its action
    steps:
      - { tool: find, input: { who: ann, mailbox: own }, result: { input: { found: 1 }, expect: { enforcementAction: ALLOW } } }
      - { tool: find, input: { who: ann, mailbox: all }, result: { input: { found: 1 }, expect: { enforcementAction: BLOCK, rules: [others-mail] } } }
`;

async function start(t: Test, settings: Partial<IntegrationSettings>) {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', settings);
  await app.policy(id, document);
  const send = async (body: object) => {
    const { body: sent } = await app.call(key, 'POST', '/v1/evaluate', { externalSessionId: 's', ...body });
    if (!sent.success) throw new Error(JSON.stringify(sent));
    return sent.data;
  };
  /** What is found in the result of this call. */
  const result = async (input: object) => {
    const { evaluationRunId, enforcementAction } = await send({ input });
    t.equal(enforcementAction, 'ALLOW');
    const found = await send({
      phase: 'RESULT',
      resultOf: evaluationRunId,
      status: 'OK',
      input: { found: 1 },
    });
    return {
      labels: found.labels ?? [],
      violations: found.violations.map(
        ({ ruleId, reason }: { ruleId: string; reason: string }) => `${ruleId} ${reason}`,
      ),
    };
  };
  return { send, result };
}

t.test(
  'the rules of a result read the arguments of its action, in whatever form they were sent',
  async (t) => {
    const { send, result } = await start(t, { contentRetention: 'full' });
    const own = { mailbox: 'own' };
    t.strictSame(await result({ tool: 'find', who: 'eve', ...own }), { labels: ['STEERED'], violations: [] });
    t.strictSame(await result({ tool: 'find', arguments: { who: 'ann', ...own } }), {
      labels: [],
      violations: [],
    });
    const called = {
      tool_calls: [{ function: { name: 'find', arguments: '{"who":"eve","mailbox":"all"}' } }],
    };
    t.match(await result(called), { violations: [/^others-mail (?!rule_error)/] });
    const { enforcementAction } = await send({ phase: 'PROMPT', input: { who: 'eve' } });
    t.equal(enforcementAction, 'ALLOW', 'neither an action nor a prompt has an action');
  },
);

t.test(
  'arguments that were not kept as they were sent are an error of the rule that reads them',
  async (t) => {
    const mail = 'ann@example.com';
    const found = async (contentRetention: IntegrationSettings['contentRetention'], input: object) =>
      (await (await start(t, { contentRetention })).result({ tool: 'find', ...input })).violations;
    t.strictSame(await found('redacted', { who: 'ann', mailbox: 'own' }), []);
    t.strictSame(await found('redacted', { who: mail, mailbox: 'own' }), ['for-eve rule_error']);
    t.strictSame(await found('redacted', { who: 'ann', mailbox: mail }), ['others-mail rule_error']);
    t.strictSame(await found('none', { who: 'ann', mailbox: 'own' }), [
      'for-eve rule_error',
      'others-mail rule_error',
    ]);
  },
);
