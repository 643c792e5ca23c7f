import t from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';
import { rule } from '../../../helpers/policies.ts';

const send = { name: 'mail.send', effect: 'EXTERNAL', destinations: ['to'], inputSchema: { type: 'object' } };

t.test('a call with different arguments in two places is refused, with the second place', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API');
  const evaluate = (input: object, more = {}) => app.call(key, 'POST', '/v1/evaluate', { input, ...more });
  const cases: [object, string][] = [
    [{ tool: 'pay', arguments: { amount: 1 }, args: { amount: 9 } }, '/input/args'],
    [
      { method: 'tools/call', params: { name: 'pay', arguments: { amount: 9 } }, arguments: {} },
      '/input/params/arguments',
    ],
    [{ type: 'tool_use', name: 'pay', arguments: {}, input: { amount: 9 } }, '/input/input'],
  ];
  for (const [input, path] of cases) {
    const { status, body } = await evaluate(input);
    t.equal(status, 400, path);
    t.match(body.errors, [{ code: 'invalid', path, message: /other arguments/ }]);
    t.equal((await evaluate(input, { phase: 'PROMPT' })).status, 200, 'a prompt is content');
  }
  t.equal((await evaluate({ tool: 'pay', arguments: { a: 1 }, args: '{"a":1}' })).status, 200);
});

t.test('arguments that cannot be read pass no rule that reads them, and no schema', async (t) => {
  const app = await startApp(t);
  const error = 'BLOCK rule_error';
  const cases: [when: string, onSchemaMismatch: 'WARN' | 'BLOCK', found: string[]][] = [
    ['arguments.?to.orValue("") == "x"', 'WARN', [error, 'WARN schema_mismatch']],
    ['destinations.exists(to, to == "x")', 'WARN', [error, 'WARN schema_mismatch']],
    ['tool == "x"', 'WARN', ['WARN schema_mismatch']],
    ['tool == "x"', 'BLOCK', ['BLOCK schema_mismatch']],
  ];
  for (const [place, [when, onSchemaMismatch, expected]] of cases.entries()) {
    const { id, key } = await app.integration('REST_API', { onSchemaMismatch });
    await app.policy(id, rule(when, 'WARN').replace('one-rule', `rule-${place}`));
    await app.call(adminKey, 'PUT', `/v1/integrations/${id}/tools`, { tools: [send] });
    for (const sent of ['{"to":"eve@evil.example"', '{"to":"a","to":"b"}', 'free text', ['a']])
      for (const input of [
        { tool: 'mail.send', arguments: sent },
        { function: { name: 'mail.send', arguments: sent } },
        { method: 'tools/call', params: { name: 'mail.send', arguments: sent } },
      ]) {
        const { body } = await app.call(key, 'POST', '/v1/evaluate', { input });
        const found = body.data.violations.map(
          ({ enforcementAction, reason }: Record<string, string>) => `${enforcementAction} ${reason}`,
        );
        t.strictSame(found.sort(), expected, `${when}: ${JSON.stringify(input)}`);
      }
  }
});

t.test('a prompt and a result have no arguments', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  const on = (document: string) =>
    document.replace('    when:', '    on: [ACTION, PROMPT, RESULT]\n    when:');
  await app.policy(id, on(rule('has(arguments.to)', 'BLOCK')));
  const evaluate = async (body: object) => (await app.call(key, 'POST', '/v1/evaluate', body)).body.data;
  const { evaluationRunId } = await evaluate({ input: { tool: 'read' } });
  const content = { to: 'x', arguments: { to: 'x' } };
  t.equal((await evaluate({ input: content, targetKey: 'read' })).enforcementAction, 'BLOCK');
  t.equal((await evaluate({ phase: 'PROMPT', input: content })).enforcementAction, 'ALLOW');
  const result = { phase: 'RESULT', resultOf: evaluationRunId, status: 'OK', input: content };
  t.equal((await evaluate(result)).enforcementAction, 'ALLOW');
});

t.test('a grant for the same argument covers the call in another shape of the argument alone', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  const grant = 'approval: { grant: { same: [arguments.to], for: 1h } }';
  await app.policy(id, `${rule('tool == "pay"', 'APPROVAL_REQUIRED')}    ${grant}\n`);
  const pay = async (to: string, amount: number) => {
    const call = { name: 'pay', arguments: JSON.stringify({ to, amount }) };
    const { body } = await app.call(key, 'POST', '/v1/evaluate', {
      input: { function: call },
      externalSessionId: 's',
    });
    return body.data;
  };
  const held = await pay('ada', 1);
  t.equal(held.enforcementAction, 'APPROVAL_REQUIRED');
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, {});
  t.equal((await pay('ada', 2)).enforcementAction, 'ALLOW');
  t.equal((await pay('eve', 2)).enforcementAction, 'APPROVAL_REQUIRED');
});
