import t from 'tap';
import { startApp } from '../../../helpers/app.ts';

const noPush = `schemaVersion: 1
name: no-push
rules:
  - { id: push, tool: git.push, when: "true", effect: BLOCK }
  - { id: cafe, tool: "cafe\\u0301", when: "true", effect: BLOCK }
`;

t.test('a call in any format, and a name in any spelling, is judged by the rules of its tool', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, noPush);
  const evaluate = (input: object, more = {}) => app.call(key, 'POST', '/v1/evaluate', { input, ...more });
  for (const input of [
    { tool: 'git.push ' },
    { tool: '\u2003git.push\n' },
    { toolName: 'git.push' },
    { name: 'git.push', arguments: {} },
    { type: 'function', function: { name: 'git.push', arguments: '{}' } },
    { tool_calls: [{ id: '1', type: 'function', function: { name: 'git.push', arguments: '{}' } }] },
    { type: 'tool_use', name: 'git.push', input: {} },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'git.push', arguments: {} } },
    { tool: ' ', name: 'git.push', args: [] },
    { tool: 'caf\u00e9' },
  ]) {
    const { status, body } = await evaluate(input);
    t.equal(status, 200);
    t.equal(body.data.enforcementAction, 'BLOCK', JSON.stringify(input));
  }
  const target = await evaluate({ tool: '\t' }, { targetKey: ' git.push ' });
  t.equal(target.body.data.enforcementAction, 'BLOCK', 'white space is no name');
});

t.test('an input that names two tools is refused, with both places', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API');
  const call = { name: 'git.push', arguments: '{}' };
  const cases: [object, string, RegExp][] = [
    [{ tool: 'safe', toolName: 'git.push' }, '/input/toolName', /than \/input\/tool:/],
    [{ tool: 'safe', ...call }, '/input/name', /than \/input\/tool:/],
    [{ tool: 'safe', function: call }, '/input/function/name', /than \/input\/tool:/],
    [{ toolName: 'safe', type: 'tool_use', name: 'git.push' }, '/input/name', /than \/input\/toolName:/],
    [{ tool: 'safe', method: 'tools/call', params: call }, '/input/params/name', /than \/input\/tool:/],
    [
      { function: call, function_call: { name: 'x' } },
      '/input/function_call/name',
      /than \/input\/function\/name:/,
    ],
    [{ tool_calls: [{ function: call }, { function: call }] }, '/input/tool_calls', /each on its own/],
  ];
  for (const [input, path, message] of cases) {
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', { input });
    t.equal(status, 400, path);
    t.match(body.errors, [{ code: 'invalid', path, message }]);
  }
});

t.test('a name that is no text is refused, and not passed over', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, noPush);
  for (const [input, path] of [
    [{ tool: ['git.push'], toolName: 'safe' }, '/input/tool'],
    [{ toolName: { name: 'git.push' }, name: 'safe', arguments: {} }, '/input/toolName'],
    [{ tool: 'safe', function: { name: ['git.push'] } }, '/input/function/name'],
  ] as const) {
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', { input });
    t.equal(status, 400);
    t.match(body.errors, [{ code: 'invalid', path, message: 'the name of a tool must be a string' }]);
  }
});

t.test('invisible characters in a name are refused', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API');
  const evaluate = (body: object) => app.call(key, 'POST', '/v1/evaluate', body);
  // biome-ignore format: short texts read better in rows
  const characters = [
    '\u200b', '\u200d', '\u00ad', '\u2060', '\u202e', '\u034f', '\u3164', '\ufe0f', '\u{e0041}',
  ];
  for (const character of [...characters, '\0', '\n', '\u0085', '\u2028', '\ufeff']) {
    for (const name of [
      `git${character}.push`,
      ...(character.trim() === '' ? [] : [`${character}git.push`]),
    ]) {
      const { status, body } = await evaluate({ input: { function: { name } } });
      t.equal(status, 400, `U+${character.codePointAt(0)?.toString(16)}`);
      t.match(body.errors, [{ path: '/input/function/name', message: /invisible/ }]);
    }
  }
  const target = await evaluate({ input: {}, targetKey: '\u0646\u0627\u0645\u0647\u200c\u0647\u0627' });
  t.equal(target.status, 200, 'a target is no name: some scripts need joiners');
});
