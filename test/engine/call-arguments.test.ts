import t from 'tap';
import { argumentsOf, valuesAt } from '../../src/engine/index.ts';

const values = (input: Record<string, unknown>, ...paths: string[]) => valuesAt(argumentsOf(input), paths);

t.test('an argument is found in every format of a call', async (t) => {
  const given: Record<string, Record<string, unknown>> = {
    plain: { tool: 'send', to: 'x' },
    'beside the name': { name: 'send', arguments: { to: 'x' } },
    args: { tool: 'send', args: { to: 'x' } },
    parameters: { name: 'send', parameters: { to: 'x' } },
    'chat completions': { function: { name: 'send', arguments: '{"to":"x"}' } },
    'a list of calls': { tool_calls: [{ function: { name: 'send', arguments: ' {"to":"x"}' } }] },
    'old chat completions': { function_call: { name: 'send', arguments: '{"to":"x"}' } },
    'JSON-RPC': { method: 'tools/call', params: { name: 'send', arguments: { to: 'x' } } },
    Anthropic: { content: [{ type: 'text' }, { type: 'tool_use', name: 'send', input: { to: 'x' } }] },
    Gemini: { content: { parts: [{ functionCall: { name: 'send', args: { to: 'x' } } }] } },
    'parts of Gemini': { parts: ['text', { functionCall: { name: 'send', args: { to: 'x' } } }] },
    Bedrock: { content: [{ toolUse: { name: 'send', input: { to: 'x' } } }] },
  };
  for (const [format, input] of Object.entries(given)) t.strictSame(values(input, 'to'), ['x'], format);
});

t.test('all places count, each value once, and nothing else is an argument', async (t) => {
  t.strictSame(values({ tool: 'send', to: 'y', arguments: { to: 'x' }, args: { to: 'x' } }, 'to'), [
    'x',
    'y',
  ]);
  t.strictSame(
    values({ tool: 'send', type: 'x', id: 'y' }, 'tool', 'type', 'id'),
    [],
    'they describe the call',
  );
  t.strictSame(values({ arguments: 'no JSON {', to: 'x' }, 'to'), ['x']);
  t.strictSame(values({ arguments: '{"to": ', to: 'x' }, 'to'), ['x'], 'text that only begins like JSON');
  t.strictSame(values({ arguments: '["to"]', args: ' [{}]' }, 'to'), []);
  t.strictSame(values({ toString: 1 }, 'constructor', 'hasOwnProperty'), []);
});

t.test('a path leads through fields and lists, and ends in all that is there', async (t) => {
  const input = {
    message: { to: ['a', { address: 'b', more: { name: 'c', ok: true, no: null } }], size: 7, id: 2n ** 60n },
    list: [{ to: 'd' }, { to: 'e' }, { other: 'f' }],
  };
  t.strictSame(values(input, 'message.to'), ['a', 'b', 'c']);
  t.strictSame(values(input, 'list.to', 'message.size', 'message.id'), [
    'd',
    'e',
    '7',
    '1152921504606846976',
  ]);
  t.strictSame(values(input, 'message.to.address'), ['b']);
  t.strictSame(values(input, 'message.none', 'none.to', 'message.size.x'), []);
});
