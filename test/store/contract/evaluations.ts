import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';

const { start } = make;

export function evaluations(t: Test, open: Open): void {
  t.test('evaluations: what one does is the context of the next', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const opened = make.session(id, { metadata: '{"k":1}', entityId: missing });
    const record = (
      tool: string,
      enforcementAction: 'ALLOW' | 'WARN' | 'APPROVAL_REQUIRED' | 'BLOCK',
      more = {},
    ) =>
      store.evaluations.record(
        make.evaluation(id, { session: { id: opened.id.toUpperCase() }, tool, targetKey: 't', ...more }),
        () => make.verdict({ enforcementAction, severity: 'LOW', enforcedSeverity: 'HIGH' }),
      );
    await store.evaluations.record(
      make.evaluation(id, { session: { open: opened }, tool: 'b', dataTags: ['PII'] }),
      () => make.verdict({ response: 'the answer' }),
    );
    await record('a', 'WARN', { dataTags: ['SECRET', 'PII'] });
    await record('b', 'APPROVAL_REQUIRED');
    await record('', 'ALLOW');
    await record('blocked', 'BLOCK', { dataTags: ['X'] });
    const seen = await make.contextOf(store, id, opened.id);
    t.match(seen, { id: opened.id, entityId: missing, metadata: '{"k":1}', startedAt: start });
    t.match(seen, { actionCount: 5, warningCount: 1, blockCount: 1, reviewCount: 1 });
    t.strictSame(seen.dataTags, ['PII', 'SECRET', 'X'], 'in order of first sight, blocked or not');
    t.strictSame(
      [...seen.toolCounts],
      [
        ['b', 1],
        ['a', 1],
      ],
      'what was blocked or held was not let through',
    );
    t.strictSame(
      [...seen.attemptCounts],
      [
        ['b', 2],
        ['a', 1],
        ['blocked', 1],
      ],
      'and was attempted',
    );
    t.strictSame(
      seen.recentActions.map(({ seq, tool }) => `${seq} ${tool}`),
      ['5 blocked', '4 ', '3 b', '2 a', '1 b'],
    );
    t.strictSame(seen.recentActions[0], {
      seq: 5,
      rules: [],
      reasons: [],
      labels: [],
      repeats: null,
      tool: 'blocked',
      targetKey: 't',
      dataTags: ['X'],
      enforcementAction: 'BLOCK',
      severity: 'HIGH',
      at: start,
    });
    const read = await store.sessions.findWithActions(id, opened.id, start);
    t.equal(read?.session.actionCount, 6);
    t.strictSame(read?.recentActions, [
      {
        ...seen.recentActions[0],
        seq: 6,
        tool: 'x',
        targetKey: null,
        dataTags: [],
        enforcementAction: 'ALLOW',
        severity: null,
      },
      ...seen.recentActions,
    ]);
  });

  t.test('evaluations: at most 50 actions are shown, all are counted', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const created = make.session(id);
    await store.sessions.create(created, '{}', null);
    await Promise.all(
      Array.from({ length: 60 }, () =>
        store.evaluations.record(make.evaluation(id, { session: { id: created.id } }), () => make.verdict()),
      ),
    );
    const { recentActions, actionCount, toolCounts } = await make.contextOf(store, id, created.id);
    t.strictSame([recentActions.length, recentActions[0]?.seq, recentActions[49]?.seq], [50, 60, 11]);
    t.strictSame([actionCount, toolCounts.get('x')], [60, 60]);
  });

  t.test('evaluations: decided and recorded in one step, whoever else comes', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const created = make.session(id);
    await store.sessions.create(created, '{}', null);
    let allowed = 0;
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const asked = make.evaluation(id, { session: { id: created.id } });
        const result = await store.evaluations.record(asked, ({ toolCounts }) => {
          const enforcementAction = (toolCounts.get('x') ?? 0) < 4 ? 'ALLOW' : 'BLOCK';
          return make.verdict({ enforcementAction, response: enforcementAction });
        });
        if ('response' in result && result.response === 'ALLOW') allowed++;
      }),
    );
    t.equal(allowed, 4);
  });

  t.test('evaluations: nothing is recorded when the session is over or the decision fails', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const created = make.session(id);
    await store.sessions.create(created, '{}', null);
    const asked = (at: number) => make.evaluation(id, { session: { id: created.id }, at });
    t.strictSame(await store.evaluations.record(asked(start + 1_000), () => make.verdict()), {
      kind: 'not_active',
      status: 'EXPIRED',
    });
    const decide = () => {
      throw new TypeError('a bug');
    };
    await t.rejects(store.evaluations.record(asked(start), decide), TypeError);
    const opening = make.evaluation(id, { session: { open: make.session(id) } });
    await t.rejects(store.evaluations.record(opening, decide), TypeError);
    t.equal((await store.sessions.list(id, {}, page, start)).total, 1, 'nor is a session opened');
    t.strictSame(await store.evaluations.listInSession(id, created.id, page, wide), { items: [], total: 0 });
  });

  t.test('evaluations: without a session the context is that of an empty one', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    await store.evaluations.record(make.evaluation(id), ({ toolCounts, attemptCounts, ...context }) => {
      t.strictSame([toolCounts.size, attemptCounts.size], [0, 0]);
      t.strictSame(context, {
        id: '',
        rootId: '',
        parentId: null,
        depth: 0,
        tree: null,
        labels: [],
        monitoredLabels: [],
        entityId: null,
        metadata: '{}',
        startedAt: start,
        actionCount: 0,
        warningCount: 0,
        blockCount: 0,
        reviewCount: 0,
        rejectionCount: 0,
        dataTags: [],
        recentActions: [],
      });
      return make.verdict();
    });
  });
}
