import { randomUUID } from 'node:crypto';
import { Script } from 'node:vm';
import t from 'tap';
import { createLoader } from '../../src/binary/load.ts';

const chunks: Record<string, string> = {
  'command.js': `const { add } = require('./shared.js'); exports.sum = () => add(1, 2);
    exports.late = () => Promise.resolve().then(() => require('./late.js'));`,
  'shared.js': `exports.loads = (exports.loads ?? 0) + 1; exports.add = (a, b) => a + b;`,
  'late.js': `exports.shared = require('./shared.js'); exports.sep = require('node:path').sep;`,
  'broken.js': `require('left-pad');`,
};
const code = {
  text: (name: string) => chunks[name] ?? '',
  compiled: (): Buffer | undefined => undefined,
};

t.test('runs a chunk with what it requires, once each', async (t) => {
  const { load } = createLoader(code);
  const command = load('command.js') as {
    sum: () => number;
    late: () => Promise<{ shared: object; sep: string }>;
  };
  t.equal(command.sum(), 3);
  t.equal(load('command.js'), command);
  t.equal((await command.late()).shared, load('shared.js'));
});

t.test('loads nothing before it is asked for', async (t) => {
  const { load, scripts } = createLoader(code);
  load('command.js');
  t.strictSame([...scripts.keys()], ['command.js', 'shared.js']);
});

t.test('gives Node’s own modules, and refuses by name what is not in the binary', async (t) => {
  const { load } = createLoader(code);
  t.ok((load('late.js') as { sep: string }).sep);
  t.throws(() => load('broken.js'), { message: 'left-pad is not in the binary' });
});

t.test(
  'hands the engine the compiled form, and runs from the text when it is for another engine',
  async (t) => {
    const compiled = new Script('1').createCachedData();
    // Of a text that this process has compiled before, V8 would not look at it.
    const text = () => `exports.three = () => 1 + 2; // ${randomUUID()}`;
    const { load, scripts } = createLoader({ text, compiled: () => compiled });
    t.equal((load('command.js') as { three: () => number }).three(), 3);
    t.equal(scripts.get('command.js')?.cachedDataRejected, true);
  },
);
