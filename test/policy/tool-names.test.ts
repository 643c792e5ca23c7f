import t from 'tap';
import { countsSeen, namesSeen } from '../../src/policy/activation.ts';
import { policy } from './policy-fixtures.ts';

t.test('a policy mentions every text it could compare a tool with', async (t) => {
  const { toolNames } = policy(`
params: { one: crm.read, many: [{ name: mail.send }], map: { key.tool: 1 }, n: 3 }
variables: { v: '"from.variable"' }
rules:
  - { id: a, tool: [bound.one, bound.two], when: 'tool == "in.condition" || tool in ["x.y", vars.v]', effect: WARN, message: '{{tool == "in.message"}}' }
  - { id: b, tool: bound.three, when: 'session.toolsUsed.exists(t, t == "in.macro")', effect: WARN }
`);
  const expected = 'crm.read mail.send key.tool from.variable in.condition x.y in.message in.macro'.split(
    ' ',
  );
  for (const name of [...expected, 'bound.one', 'bound.two', 'bound.three']) t.ok(toolNames.has(name), name);
  t.notOk(toolNames.has('other.tool'));
});

t.test('a name that is not kept reads as the others, unless policies mention it', async (t) => {
  const plain = new Map([['a', 2]]);
  t.equal(countsSeen(plain, new Set()), plain, 'nothing is copied as long as all names are kept');
  const seen = countsSeen(new Map([...plain, ['(other)', 7]]), new Set(['named']));
  t.strictSame([seen.get('a'), seen.get('b'), seen.get('named')], [2, 7, undefined]);
  t.strictSame([seen.has('a'), seen.has('b'), seen.has('named')], [true, true, false]);
  t.strictSame(
    [...seen],
    [
      ['a', 2],
      ['(other)', 7],
    ],
    'entries are shown as they are',
  );
});

t.test('a tool that may be among the names not kept counts as used', async (t) => {
  const kept = new Map([['a', 1]]);
  const full = new Map([...kept, ['(other)', 7]]);
  const mentioned = new Set(['named']);
  t.strictSame(namesSeen(kept, 'x', mentioned), ['a'], 'all names are kept');
  t.strictSame(namesSeen(full, 'x', mentioned), ['a', '(other)', 'x']);
  t.strictSame(namesSeen(full, 'a', mentioned), ['a', '(other)']);
  t.strictSame(
    namesSeen(full, 'named', mentioned),
    ['a', '(other)'],
    'a policy could look for it, so it is kept',
  );
  t.strictSame(namesSeen(full, '', mentioned), ['a', '(other)']);
});
