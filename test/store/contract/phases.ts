import type { Test } from 'tap';
import { lateResultMs } from '../../../src/evaluate/session.ts';
import type { NewEvaluation } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';

const { start } = make;

export function phases(t: Test, open: Open): void {
  t.test('phases: an action has one result, recorded with the first of several at once', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    const action = make.evaluation(id, { session: { open: session }, tool: 'a' });
    await store.evaluations.record(action, () => make.verdict({}));
    const result = (more = {}) =>
      store.evaluations.record(
        make.evaluation(id, {
          phase: 'RESULT',
          resultOf: action.id.toUpperCase(),
          resultStatus: 'OK',
          session: { id: session.id },
          tool: 'a',
          ...more,
        }),
        () => make.verdict({ enforcementAction: 'BLOCK' }),
      );
    const kinds = (await Promise.all([result(), result(), result()])).map(({ kind }) => kind);
    t.strictSame(kinds, ['recorded', 'has_result', 'has_result']);
    t.equal((await result()).kind, 'has_result');
    const read = await store.sessions.find(id, session.id, make.start);
    t.match(
      read,
      { actionCount: 1, blockCount: 0 },
      'a result that is refused, or blocked, counts as nothing',
    );
    const listed = await store.evaluations.listInSession(id, session.id, page, wide);
    t.equal(listed?.total, 2);
    t.match(listed?.items[0], { phase: 'RESULT', resultStatus: 'OK', seq: null });
  });

  t.test(
    'phases: results are taken for a while after the end, once, and the repeat is answered',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      for (const kind of ['COMPLETED', 'EXPIRED'] as const) {
        const session = make.session(id);
        await store.sessions.create(session, '{}', null);
        const act = async () => {
          const action = make.evaluation(id, { session: { id: session.id }, tool: 'a' });
          await store.evaluations.record(action, () => make.verdict());
          return action.id;
        };
        const [first, second, third] = [await act(), await act(), await act()];
        const over = kind === 'EXPIRED' ? session.expiresAt : start + 10;
        if (kind === 'COMPLETED')
          await store.sessions.end(id, session.id, { status: 'COMPLETED', now: over, response: () => '' });
        let decided = 0;
        const result = (resultOf: string, at: number, more: object = {}) =>
          store.evaluations.record(
            make.evaluation(id, {
              ...{ phase: 'RESULT', resultOf, resultStatus: 'OK', tool: 'a', at },
              session: { id: session.id },
              dataTags: ['PII'],
              ...more,
            }),
            () => {
              decided++;
              return make.verdict({ labels: ['READ'], response: `"${resultOf}"` });
            },
          );
        const once = { idempotency: make.once({ key: `late ${kind}` }) };
        const answer = `"${first}"`;
        t.strictSame(await result(first, over, once), { kind: 'recorded', response: answer }, kind);
        t.strictSame(await result(first, over + 1, once), { kind: 'replayed', response: answer });
        t.strictSame(await result(first, over + 1), { kind: 'has_result' });
        t.equal((await result(second, over + lateResultMs - 1)).kind, 'recorded', 'the last moment');
        t.strictSame(await result(third, over + lateResultMs), { kind: 'not_active', status: kind });
        t.strictSame(await result(first, over + lateResultMs, once), { kind: 'replayed', response: answer });
        t.equal(decided, 2);
        t.match(await store.sessions.find(id, session.id, over + lateResultMs), {
          status: kind,
          actionCount: 3,
          dataTags: ['PII'],
          labels: ['READ'],
        });
        const action = make.evaluation(id, { session: { id: session.id }, at: over });
        t.match(await store.evaluations.record(action, () => make.verdict()), { kind: 'not_active' });
      }
    },
  );

  t.test(
    'phases: the repeat of a result is no permission in its session, and that of an action is',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      const session = make.session(id);
      await store.sessions.create(session, '{}', null);
      const [act, read] = [make.once({ key: 'act' }), make.once({ key: 'read' })];
      const action = make.evaluation(id, { session: { id: session.id }, idempotency: act });
      const record = (evaluation: NewEvaluation) =>
        store.evaluations.record(evaluation, () => make.verdict({ response: 'a' }));
      await record(action);
      const result = make.evaluation(id, {
        ...{ phase: 'RESULT', resultOf: action.id, resultStatus: 'OK' },
        session: { id: session.id },
        idempotency: read,
      });
      await record(result);
      await store.sessions.end(id, session.id, { status: 'TERMINATED', now: start + 1, response: () => '' });
      const again = { at: start + 2, id: make.newId() };
      t.strictSame(await record({ ...result, ...again }), { kind: 'replayed', response: 'a' });
      t.match(await record({ ...action, ...again }), { kind: 'lapsed', why: 'not_active' });
      const policySet = { key: 'others', members: [], terms: [] };
      t.match(await record({ ...result, ...again, policySet }), { kind: 'lapsed', why: 'policies_changed' });
    },
  );

  t.test('phases: no integration reads or answers an action of another', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const action = make.evaluation(id, { tool: 'a' });
    await store.evaluations.record(action, () => make.verdict({ labels: ['STEERED'] }));
    t.match(await store.evaluations.findAction(id, action.id.toUpperCase()), {
      labels: ['STEERED'],
      phase: 'ACTION',
      sessionId: null,
      tool: 'a',
      enforcementAction: 'ALLOW',
    });
    t.equal(await store.evaluations.findAction(other.id, action.id), null);
    t.equal(await store.evaluations.findAction(id, missing), null);
    for (const [integrationId, resultOf] of [
      [other.id, action.id],
      [id, missing],
    ] as const) {
      const { kind } = await store.evaluations.record(
        make.evaluation(integrationId, { phase: 'RESULT', resultOf, resultStatus: 'OK' }),
        () => make.verdict({}),
      );
      t.equal(kind, 'no_action');
    }
  });

  t.test('phases: prompts lie between actions in the list and not in the recent actions', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const session = make.session(id);
    const prompt = (more = {}) =>
      store.evaluations.record(
        make.evaluation(id, { phase: 'PROMPT', tool: '', session: { id: session.id }, ...more }),
        () => make.verdict({}),
      );
    await prompt({ session: { open: session }, dataTags: ['PII'] });
    t.match(await make.contextOf(store, id, session.id), {
      actionCount: 0,
      dataTags: ['PII'],
      recentActions: [],
    });
    for (let at = 0; at < 120; at++) await prompt();
    const seen = await make.contextOf(store, id, session.id);
    t.strictSame(
      seen.recentActions.map(({ seq }) => seq),
      [1],
    );
    const listed = await store.evaluations.listInSession(id, session.id, { page: 2, size: 100 }, wide);
    t.equal(listed?.total, 123);
    t.equal(listed?.items.length, 23);
    t.match(listed?.items.at(-1), { phase: 'PROMPT', dataTags: ['PII'], seq: null });
  });
}
