import t from 'tap';
import {
  findOtherTool,
  findSeveralCalls,
  findTool,
  findUnreadableName,
  toolOf,
} from '../../src/policy/tool-calls.ts';

t.test('finds the tool of an action where clients put it', async (t) => {
  const cases: [input: Record<string, unknown>, targetKey: string, tool: string][] = [
    [{ tool: 'a', toolName: 'b', name: 'c', arguments: {} }, 'd', 'a'],
    [{ toolName: 'b', name: 'c', arguments: {} }, 'd', 'b'],
    [{ name: 'c', arguments: {} }, 'd', 'c'],
    [{ name: 'c', args: [] }, 'd', 'c'],
    [{ name: 'Ann' }, 'd', 'd'],
    [{ tool: 7, toolName: '', name: null, args: {} }, 'd', 'd'],
    [Object.create({ tool: 'inherited' }), 'd', 'd'],
    [{}, '', ''],
  ];
  for (const [input, targetKey, tool] of cases)
    t.equal(toolOf(input, targetKey), tool, JSON.stringify(input));
});

t.test(
  'finds the tool of a call in the formats of OpenAI, Anthropic, JSON-RPC, Gemini and Bedrock',
  async (t) => {
    const cases: [input: Record<string, unknown>, path: string][] = [
      [{ id: 'c', type: 'function', function: { name: 'git.push', arguments: '{}' } }, '/function/name'],
      [{ type: 'function_call', name: 'git.push', arguments: '{}' }, '/name'],
      [{ function_call: { name: 'git.push', arguments: '{}' } }, '/function_call/name'],
      [{ tool_calls: [{ function: { name: 'git.push' } }] }, '/tool_calls/0/function/name'],
      [{ tool_calls: [{ name: 'git.push', args: {} }] }, '/tool_calls/0/name'],
      [{ type: 'tool_use', id: 't', name: 'git.push', input: {} }, '/name'],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'git.push' } }, '/params/name'],
      [{ functionCall: { name: 'git.push', args: {} } }, '/functionCall/name'],
      [{ parts: [{ text: 'x' }, { functionCall: { name: 'git.push' } }] }, '/parts/1/functionCall/name'],
      [
        { content: { parts: [{ functionCall: { name: 'git.push' } }] } },
        '/content/parts/0/functionCall/name',
      ],
      [{ toolUse: { toolUseId: 't', name: 'git.push', input: {} } }, '/toolUse/name'],
      [{ role: 'assistant', content: [{ toolUse: { name: 'git.push' } }] }, '/content/0/toolUse/name'],
      [
        {
          content: [
            { type: 'text', text: 'x' },
            { type: 'tool_use', name: 'git.push' },
          ],
        },
        '/content/1/name',
      ],
    ];
    for (const [input, path] of cases) t.strictSame(findTool(input, 'd'), { name: 'git.push', path });
    for (const input of [
      { function: 'git.push' },
      { function: { name: 7 } },
      { function: Object.create({ name: 'git.push' }) },
      { type: 'text', name: 'git.push' },
      { method: 'tools/list', params: { name: 'git.push' } },
      { method: 'tools/call', params: null },
      { tool_calls: [] },
      { content: 'git.push', parts: 'git.push' },
      { content: [{ type: 'text', name: 'git.push' }, null, 'git.push'] },
      { functionCall: 'git.push', toolUse: ['git.push'] },
      { tool_calls: { length: 1 } },
    ])
      t.equal(toolOf(input, 'd'), 'd', JSON.stringify(input));
  },
);

t.test('a name is trimmed and normalized, and white space is none', async (t) => {
  t.equal(toolOf({ tool: ' git.push\t' }, ''), 'git.push');
  t.equal(toolOf({ tool: '\ufeffgit.push\u00a0' }, ''), 'git.push');
  t.equal(toolOf({ tool: 'cafe\u0301' }, ''), 'caf\u00e9');
  t.equal(toolOf({ tool: ' \n', toolName: '\u3000' }, ' d '), 'd');
  t.equal(toolOf({}, '  '), '');
});

t.test('a field or a call that names another tool than the one found is told', async (t) => {
  const other = (input: Record<string, unknown>, targetKey = '') =>
    findOtherTool(input, findTool(input, targetKey))?.path ?? null;
  t.equal(other({ tool: 'safe', function: { name: 'git.push' } }), '/function/name');
  t.equal(other({ toolName: 'safe', type: 'tool_use', name: 'git.push' }), '/name');
  t.equal(other({ function: { name: 'safe' }, method: 'tools/call', params: { name: 'x' } }), '/params/name');
  t.equal(other({ tool: 'git.push', function: { name: ' git.push ' } }), null, 'the same name twice is one');
  t.equal(other({ function: { name: 'safe' }, custom: { name: 'git.push' } }), '/custom/name');
  t.equal(other({ tool: 'safe', custom: { name: 'git.push', input: '' } }), '/custom/name');
  t.equal(
    other({ tool: 'person.add', custom: { name: 'Ann' } }),
    null,
    'a name of a common field is content',
  );
  t.equal(
    other({ tool_calls: [{ function: { name: 'safe' }, custom: { name: 'git.push' } }] }),
    '/tool_calls/0/custom/name',
  );
  t.equal(other({ tool: 'safe', toolName: 'git.push' }), '/toolName');
  t.equal(other({ tool: 'safe', name: 'git.push', arguments: {} }), '/name');
  t.equal(other({ toolName: 'safe', name: 'git.push', args: [] }), '/name');
  t.equal(other({ function: { name: 'safe' }, name: 'git.push', arguments: {} }), '/name');
  t.equal(other({ tool: 'git.push', toolName: ' git.push', name: 'git.push', args: [] }), null);
  t.equal(other({ tool: 'person.add', name: 'Ann' }), null, 'a name without arguments is content');
  t.equal(other({ tool: 'person.add', toolName: ' ', name: null, arguments: {} }), null);
  t.equal(other({ name: 'git.push', arguments: {} }, 'repository'), null);
});

t.test('what stands in the place of a name and is no text is told', async (t) => {
  const cases: [Record<string, unknown>, string | null][] = [
    [{ tool: ['git.push'] }, '/tool'],
    [{ tool: 7, toolName: 'safe' }, '/tool'],
    [{ tool: 'safe', toolName: { name: 'git.push' } }, '/toolName'],
    [{ function: { name: ['git.push'] } }, '/function/name'],
    [{ type: 'tool_use', name: false }, '/name'],
    [{ method: 'tools/call', params: { name: 0 } }, '/params/name'],
    [{ tool_calls: [{ function: { name: ['git.push'] } }] }, '/tool_calls/0/function/name'],
    [{ content: [{ type: 'tool_use', name: ['git.push'] }] }, '/content/0/name'],
    [{ tool: 'safe', content: [{ type: 'tool_use', name: ['git.push'] }] }, null],
    [{ tool: 'safe', toolName: null }, null],
    [{ name: { first: 'Ann' }, arguments: {} }, null],
    [{ function: 'mean', params: { name: 7 } }, null],
    [{}, null],
  ];
  for (const [input, path] of cases) t.equal(findUnreadableName(input), path, JSON.stringify(input));
});

t.test('a name beside its arguments is a tool where the target key is none', async (t) => {
  t.equal(toolOf({ name: 'git.push', input: {} }, ''), 'git.push');
  t.equal(toolOf({ name: 'git.push', parameters: {} }, ''), 'git.push');
  t.equal(toolOf({ name: 'Ann', input: {} }, 'form.submit'), 'form.submit');
  t.equal(toolOf({ name: 'Ann', input: 'text' }, ''), '');
  t.equal(toolOf({ name: 'Ann', parameters: [] }, ''), '');
});

t.test('several calls in one input are told', async (t) => {
  const use = { type: 'tool_use', name: 'git.push' };
  t.equal(findSeveralCalls({ tool_calls: [{}, {}] }), '/tool_calls');
  t.equal(findSeveralCalls({ tool_calls: [{}] }), null);
  t.equal(findSeveralCalls({ tool_calls: 'x' }), null);
  t.equal(findSeveralCalls({ content: [use, { type: 'text' }, use] }), '/content/2/name');
  t.equal(findSeveralCalls({ content: [use] }), null);
  t.equal(
    findSeveralCalls({ tool: 'notes.save', content: [use, use] }),
    null,
    'the tool is named outside it',
  );
});
