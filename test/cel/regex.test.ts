import t from 'tap';
import {
  CelError,
  compilePattern,
  createBudget,
  defaultLimits,
  matches,
  type Pattern,
} from '../../src/cel/index.ts';

function pattern(source: string): Pattern {
  const result = compilePattern(source, defaultLimits);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

t.test('a pattern is compiled once, however many rules have it', async (t) => {
  t.equal(pattern('^once$'), pattern('^once$'));
});

t.test('patterns nobody asks for any more make room', async (t) => {
  const first = pattern('^first$');
  for (let index = 0; index < 300; index += 1) pattern(`^other ${index}$`);
  t.not(pattern('^first$'), first);
  t.equal(matches('first', first, createBudget()), true, 'and stay usable where they are in use');
});

t.test('a pattern matches anywhere, in linear time, for what it costs', async (t) => {
  const budget = createBudget();
  t.equal(matches('xxabcxx', pattern('a.c'), budget), true);
  t.equal(matches('xx', pattern('a.c'), budget), false);
  t.ok(budget.left < 2_000_000);
  t.ok(matches('a', pattern('a.c'), createBudget(3)) instanceof CelError);
});

t.test('the cache of a pattern stays small whatever text it sees', async (t) => {
  const { machine, programSize } = pattern('(a|b)*a(a|b){14}[cd]');
  let state = 1;
  let text = 'c';
  for (let index = 0; index < 20_000; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += (state >>> 16) & 1 ? 'a' : 'b';
  }
  machine.test(text);
  t.ok(
    machine.re2().dfa.stateCount < 1500,
    `${machine.re2().dfa.stateCount} states, ${programSize} instructions`,
  );
});
