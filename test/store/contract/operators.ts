import type { Test } from 'tap';
import type { NewOperator } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;

export const operator = (more: Partial<NewOperator> = {}): NewOperator => ({
  id: make.newId(),
  name: 'Ada',
  email: null,
  roles: ['OWNER'],
  groups: [],
  entityId: null,
  createdAt: start,
  ...more,
});

export const operatorKey = (operatorId: string, more: object = {}) => ({
  id: make.newId(),
  operatorId,
  name: 'laptop',
  keyHash: make.newHash(),
  lastFour: 'abcd',
  createdAt: start,
  expiresAt: null,
  ipRanges: [],
  ...more,
});

export function operators(t: Test, open: Open): void {
  t.test('operators: of two racing first ones one is kept, with its key', async (t) => {
    const { operators, operatorKeys } = await open(t);
    t.equal(await operators.exist(), false);
    const pairs = ['Ada', 'Bob'].map((name) => {
      const first = operator({ name });
      return [first, operatorKey(first.id)] as const;
    });
    const made = await Promise.all(pairs.map((pair) => operators.createFirst(...pair)));
    t.strictSame([...made].sort(), [false, true]);
    t.equal(await operators.exist(), true);
    for (const [place, [first, key]] of pairs.entries()) {
      const found = await operatorKeys.find(key.keyHash, start);
      t.equal(found?.operator.id ?? null, made[place] ? first.id : null);
    }
    t.equal((await operators.list(page, {})).total, 1);
  });

  t.test('operators: what is stored comes back, and only what is given changes', async (t) => {
    const { operators } = await open(t);
    const given = operator({ email: 'Ada@Example.com', roles: ['REVIEWER', 'AUDITOR'], groups: ['a', 'b'] });
    const stored = { ...given, status: 'ACTIVE', updatedAt: start };
    t.strictSame(await operators.create(given), stored);
    t.strictSame(await operators.find(given.id.toUpperCase()), stored);
    t.equal(await operators.find(missing), null);
    t.strictSame(await operators.findByEmail('ADA@example.com'), stored);
    t.equal(await operators.findByEmail('bob@example.com'), null);
    const changed = { ...stored, name: 'Ada L.', groups: ['c'], updatedAt: start + 1 };
    t.strictSame(await operators.change(given.id, { name: 'Ada L.', groups: ['c'] }, start + 1), changed);
    t.equal(await operators.change(missing, { name: 'x' }, start), 'no_operator');
    t.strictSame((await operators.list(page, {})).items, [{ ...changed, keyCount: 0 }]);
  });

  t.test('operators: an e-mail address is one operator, in any case', async (t) => {
    const { operators } = await open(t);
    const [first, second] = [operator({ email: 'ada@example.com' }), operator()];
    await operators.create(first);
    await operators.create(second);
    t.equal(await operators.create(operator({ email: 'ADA@example.com' })), 'email_taken');
    t.equal(await operators.change(second.id, { email: 'Ada@Example.Com' }, start), 'email_taken');
    t.match(await operators.change(first.id, { email: 'ADA@EXAMPLE.COM' }, start), {
      email: 'ADA@EXAMPLE.COM',
    });
    t.match(await operators.change(first.id, { email: null }, start), { email: null });
    t.match(await operators.change(second.id, { email: 'ada@example.com' }, start), { id: second.id });
  });

  t.test('operators: a list has those of a status, role and group, newest first', async (t) => {
    const { operators, operatorKeys } = await open(t);
    const owner = operator({ groups: ['payments'] });
    const reviewer = operator({ roles: ['REVIEWER'], groups: ['payments', 'fraud'] });
    for (const one of [owner, reviewer]) await operators.create(one);
    await operatorKeys.create(operatorKey(owner.id), 20);
    await operatorKeys.create(operatorKey(owner.id), 20);
    const ids = async (filter: object) => (await operators.list(page, filter)).items.map(({ id }) => id);
    t.strictSame(await ids({}), [reviewer.id, owner.id]);
    t.strictSame(await ids({ role: 'REVIEWER' }), [reviewer.id]);
    t.strictSame(await ids({ group: 'payments' }), [reviewer.id, owner.id]);
    t.strictSame(await ids({ group: 'pay' }), []);
    await operators.change(reviewer.id, { status: 'DISABLED' }, start);
    t.strictSame(await ids({ status: 'ACTIVE' }), [owner.id]);
    t.match(await operators.list({ page: 2, size: 1 }, {}), {
      total: 2,
      items: [{ id: owner.id, keyCount: 2 }],
    });
    t.equal((await operators.findFirstOwner())?.id, owner.id);
  });

  t.test('operators: the last owner who can let others in stays one', async (t) => {
    const { operators, operatorKeys } = await open(t);
    const [first, second] = [operator(), operator()];
    await operators.createFirst(first, operatorKey(first.id));
    await operators.create(second);
    for (const restricted of [{ expiresAt: start + 1_000 }, { ipRanges: ['203.0.113.1'] }]) {
      await operatorKeys.create(operatorKey(second.id, restricted), 20);
      t.equal(await operators.change(first.id, { status: 'DISABLED' }, start), 'last_owner');
      t.equal(await operators.change(first.id, { roles: ['AUDITOR'] }, start), 'last_owner');
    }
    t.match(await operators.change(first.id, { name: 'x', roles: ['OWNER', 'AUDITOR'] }, start), {
      name: 'x',
    });
    await operatorKeys.create(operatorKey(second.id), 20);
    const both = [first, second].map(({ id }) => operators.change(id, { status: 'DISABLED' }, start));
    const results = await Promise.all(both);
    t.strictSame(results.map((result) => (typeof result === 'string' ? result : result.status)).sort(), [
      'DISABLED',
      'last_owner',
    ]);
    t.match(await operators.change(first.id, { status: 'ACTIVE' }, start), { status: 'ACTIVE' });
  });
}
