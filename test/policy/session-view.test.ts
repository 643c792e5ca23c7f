import t from 'tap';
import { SessionView } from '../../src/policy/activation.ts';
import type { SessionContext } from '../../src/schemas/session-context.ts';

const context: SessionContext = {
  id: 's',
  rootId: 's',
  parentId: null,
  depth: 0,
  tree: null,
  entityId: 'e',
  metadata: '{"b":12345678901234567890,"a":{"c":[2]}}',
  startedAt: 7_000,
  actionCount: 4,
  warningCount: 1,
  blockCount: 2,
  reviewCount: 3,
  rejectionCount: 2,
  dataTags: ['PII'],
  labels: ['A'],
  monitoredLabels: ['B', 'A'],
  toolCounts: new Map([['x', 2]]),
  attemptCounts: new Map([
    ['x', 3],
    ['(other)', 9],
  ]),
  recentActions: [
    {
      seq: 4,
      tool: 'x',
      targetKey: null,
      dataTags: [],
      enforcementAction: 'BLOCK',
      severity: null,
      rules: ['r'],
      reasons: ['why'],
      labels: ['A'],
      repeats: null,
      at: 9_000,
    },
  ],
};

t.test('rules see the session as the contract names its parts', async (t) => {
  const view = new SessionView({ session: context, tool: 'x', toolsMentioned: new Set(['named']) });
  t.match(view, { id: 's', entityId: 'e', actionCount: 4, warningCount: 1, blockCount: 2, reviewCount: 3 });
  t.equal(view.rejectionCount, 2);
  t.match(view.startedAt, { seconds: 7, nanos: 0 });
  t.strictSame(view.dataTags, ['PII']);
  t.strictSame(view.toolsUsed, ['x']);
  t.equal(view.toolCounts, context.toolCounts);
  t.strictSame([view.attemptCounts.get('x'), view.attemptCounts.get('unknown')], [3, 9]);
  t.equal(view.attemptCounts.get('named'), undefined, 'a policy could look for it, so it is kept');
  t.strictSame(view.metadata, { b: 12345678901234567890n, a: { c: [2] } });
  t.equal(view.metadata, view.metadata, 'read once');
  for (const costly of ['toolsUsed', 'attemptCounts', 'grants', 'recentActions'] as const)
    t.equal(view[costly], view[costly], `${costly} is made once`);
  const [action] = view.recentActions;
  t.match(action, { seq: 4, tool: 'x', targetKey: '', severity: null, at: { seconds: 9 } });
  t.equal(view.recentActions, view.recentActions, 'made once');
});

t.test('a test of a document may name the tools used and not their counts', async (t) => {
  const view = new SessionView({
    session: { ...context, toolsUsed: ['a'] },
    tool: 'x',
    toolsMentioned: new Set(),
  });
  t.strictSame(view.toolsUsed, ['a']);
  t.equal(view.toolCounts.size, 1);
});

t.test('labels of policies in mode MONITOR are seen by their like only', async (t) => {
  const view = new SessionView({ session: context, tool: '', toolsMentioned: new Set() });
  t.strictSame(view.labels, ['A']);
  view.monitors = true;
  t.strictSame(view.labels, ['A', 'B']);
});
