import t from 'tap';
import { toolOf } from '../../src/engine/index.ts';

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
