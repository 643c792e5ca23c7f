import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const proposal = (more: object = {}) => ({
  id: make.newId(),
  operation: 'changeList' as const,
  change: '{"add":["a"]}',
  before: '{"version":1}',
  note: 'why',
  author: 'local',
  createdAt: start,
  ...more,
});

export function proposals(t: Test, open: Open): void {
  t.test('proposals: what is stored comes back, newest first, without wide texts in a list', async (t) => {
    const { proposals } = await open(t);
    const given = proposal();
    const undecided = { authorName: null, decidedBy: null, deciderName: null, decidedAt: null };
    const stored = { ...given, status: 'PENDING', ...undecided };
    t.same(await proposals.create(given, 2), stored);
    t.same(await proposals.find(given.id.toUpperCase()), stored);
    t.equal(await proposals.find(missing), null);
    const other = proposal({ operation: 'deprecatePolicy', before: null, note: null, createdAt: start + 1 });
    t.match(await proposals.create(other, 2), { before: null, note: null });
    t.equal(await proposals.create(proposal(), 2), null, 'too many are PENDING');
    const { change: _, before: __, ...summary } = stored;
    t.same(await proposals.list({ page: 2, size: 1 }, {}), { items: [summary], total: 2 });
    t.match(await proposals.list(page, { status: 'PENDING' }), { items: [{ id: other.id }, {}], total: 2 });
  });

  t.test('proposals: one is decided once, and then others fit', async (t) => {
    const { proposals } = await open(t);
    const { id } = proposal();
    await proposals.create(proposal({ id }), 1);
    const by = { at: start + 5, operator: 'local' };
    const results = await Promise.all([
      proposals.decide(id.toUpperCase(), 'ACTIVATED', by),
      proposals.decide(id, 'REJECTED', by),
    ]);
    const [won, ...others] = results.filter((result) => result !== null);
    t.match(won, { id, decidedBy: 'local', decidedAt: start + 5 });
    t.equal(others.length, 0);
    t.equal(await proposals.decide(missing, 'REJECTED', by), null);
    t.ok(await proposals.create(proposal(), 1));
    t.match(await proposals.list(page, { status: 'PENDING' }), { total: 1 });
  });
}
