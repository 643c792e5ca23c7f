import type { Test } from 'tap';
import type { NewEvaluation, Store, ViolationFilter } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const violation = (ruleId: string, severity: 'LOW' | 'HIGH' = 'HIGH') => ({
  id: make.newId(),
  ruleId,
  ruleName: ruleId,
  policyId: missing,
  policyName: 'p',
  policyVersion: 1,
  mode: 'ENFORCE' as const,
  severity,
  enforcementAction: 'WARN' as const,
  reason: 'r',
  message: 'm',
});

async function record(
  store: Store,
  integrationId: string,
  violations: ReturnType<typeof violation>[],
  more: Partial<NewEvaluation> = {},
) {
  const revision = await make.revisionOf(store, integrationId);
  const evaluation = make.evaluation(integrationId, { revision, tool: 'mail', ...more });
  await store.evaluations.record(evaluation, () =>
    make.verdict({ enforcementAction: 'WARN', outcome: 'FLAG', violations }),
  );
  return evaluation.id;
}
const by = (status: 'ACKNOWLEDGED' | 'RESOLVED' | 'DISMISSED', outcome: string | null = null) => ({
  status,
  outcome,
  note: 'n',
  by: missing,
  at: start + 99,
});

export function violations(t: Test, open: Open): void {
  t.test('violations: are recorded with their evaluation, as they were decided', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const found = [violation('a'), violation('b', 'LOW')];
    const evaluationRunId = await record(store, id, found);
    const [a, b] = found;
    if (!a || !b) throw new Error('there are two');
    t.strictSame(await store.violations.find(a.id.toUpperCase()), {
      violation: a,
      evaluationRunId,
      integrationId: id,
      sessionId: null,
      entityId: null,
      tool: 'mail',
      status: 'NEW',
      outcome: null,
      note: null,
      triagedBy: null,
      triagedByName: null,
      triagedAt: null,
      createdAt: start,
    });
    t.match(await store.violations.find(b.id), { violation: b });
    t.equal(await store.violations.find(missing), null);
  });

  t.test('violations: a list has those that match all filters, newest first', async (t) => {
    const store = await open(t);
    const [a, b] = [await make.createIntegration(store), await make.createIntegration(store)];
    const entityId = make.newId();
    const session = { ...make.session(a.id), entityId };
    const [first, second, third, fourth] = [
      violation('r1'),
      violation('r2', 'LOW'),
      violation('r1'),
      violation('r1', 'LOW'),
    ];
    await record(store, a.id, [first, second], { at: start });
    await record(store, b.id, [third], { at: start + 10 });
    await record(store, a.id, [fourth], { at: start + 20, session: { open: session } });
    await store.violations.triage(first.id, ['NEW'], by('ACKNOWLEDGED'));
    const all = [first, second, third, fourth];
    const list = async (filter: ViolationFilter) => {
      const { items, total } = await store.violations.list(filter, page, 100);
      t.equal(total, items.length);
      return items.map((item) => all.findIndex(({ id }) => id === item.violation.id));
    };
    const cases: [ViolationFilter, number[]][] = [
      [{}, [3, 2, 1, 0]],
      [{ status: 'NEW' }, [3, 2, 1]],
      [{ status: 'ACKNOWLEDGED' }, [0]],
      [{ ruleId: 'r1' }, [3, 2, 0]],
      [{ severity: 'LOW' }, [3, 1]],
      [{ policyId: missing.toUpperCase() }, [3, 2, 1, 0]],
      [{ policyId: make.newId() }, []],
      [{ integrationId: b.id.toUpperCase() }, [2]],
      [{ integrationId: missing }, []],
      [{ sessionId: session.id.toUpperCase() }, [3]],
      [{ sessionId: missing }, []],
      [{ entityId: entityId.toUpperCase() }, [3]],
      [{ entityId: missing }, []],
      [{ from: start + 10 }, [3, 2]],
      [{ to: start + 10 }, [1, 0]],
      [{ ruleId: 'r1', severity: 'HIGH', from: start + 1 }, [2]],
    ];
    for (const [filter, expected] of cases)
      t.strictSame(await list(filter), expected, JSON.stringify(filter));
    t.equal((await store.violations.list({}, page, 2)).total, 3, 'more are not counted');
    t.match((await store.violations.list({}, { page: 2, size: 1 }, 9)).items, [
      { violation: { id: third.id } },
    ]);
  });

  t.test('violations: of racing changes one is made, and the other sees it', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const one = violation('a');
    await record(store, id, [one]);
    const statuses = ['RESOLVED', 'DISMISSED'] as const;
    const changes = await Promise.all(
      statuses.map((status) => store.violations.triage(one.id.toUpperCase(), ['NEW'], by(status, 'OTHER'))),
    );
    // Either may come first.
    const winner = changes.findIndex((change) => change?.changed);
    t.match(changes[1 - winner], { changed: false, violation: { status: statuses[winner] } });
    t.match(await store.violations.find(one.id), {
      status: statuses[winner],
      outcome: 'OTHER',
      note: 'n',
      triagedBy: missing,
      triagedAt: start + 99,
    });
    t.equal(await store.violations.triage(missing, ['NEW'], by('RESOLVED')), null);
    await store.violations.triage(one.id, [...statuses], { ...by('ACKNOWLEDGED'), note: undefined });
    t.match(await store.violations.find(one.id), { status: 'ACKNOWLEDGED', note: 'n' }, 'the note stays');
  });

  t.test('violations: are counted by rule, once somebody looked at them', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const found = ['a', 'a', 'a', 'b', 'c'].map((rule) => violation(rule));
    for (const [place, one] of found.entries()) await record(store, id, [one], { at: start + place });
    const [a1, a2, , b] = found;
    await store.violations.triage(a1?.id ?? '', ['NEW'], by('DISMISSED', 'FALSE_POSITIVE'));
    await store.violations.triage(a2?.id ?? '', ['NEW'], by('RESOLVED', 'ACCEPTED'));
    await store.violations.triage(b?.id ?? '', ['NEW'], by('ACKNOWLEDGED'));
    const of = (ruleId: string, ...counts: number[]) => ({
      policyId: missing,
      ruleId,
      acknowledgedCount: counts[0],
      resolvedCount: counts[1],
      dismissedCount: counts[2],
      falsePositiveCount: counts[3],
    });
    t.strictSame(await store.violations.countByRule({}), [of('a', 0, 1, 1, 1), of('b', 1, 0, 0, 0)]);
    t.strictSame(await store.violations.countByRule({ from: start + 1, to: start + 3 }), [
      of('a', 0, 1, 0, 0),
    ]);
  });

  t.test('entities: are registered once, and show what they did in all integrations', async (t) => {
    const store = await open(t);
    const [a, b] = [await make.createIntegration(store), await make.createIntegration(store)];
    const id = make.newId();
    const entity = {
      id,
      name: 'n',
      kind: 'AGENT' as const,
      owner: null,
      metadata: '{"a":1}',
      createdAt: start,
    };
    const stored = { ...entity, updatedAt: start };
    t.strictSame(await store.entities.register(entity), stored);
    t.equal(await store.entities.register({ ...entity, name: 'other' }), 'registered');
    for (const integration of [a, b])
      await record(store, integration.id, [violation('r')], {
        session: { open: { ...make.session(integration.id), entityId: id } },
      });
    const figures = {
      sessionCount: 2,
      violationCounts: { NEW: 2, ACKNOWLEDGED: 0, RESOLVED: 0, DISMISSED: 0 },
    };
    t.strictSame(await store.entities.find(id.toUpperCase()), { ...stored, ...figures });
    t.equal(await store.entities.find(missing), null);
    t.strictSame(await store.entities.change(id, { owner: 'o' }, start + 1), {
      ...stored,
      owner: 'o',
      updatedAt: start + 1,
      ...figures,
    });
    t.equal(await store.entities.change(missing, { name: 'x' }, start), null);
    await store.entities.register({ ...entity, id: make.newId(), kind: 'PERSON' });
    t.match(await store.entities.list(page, {}), { total: 2, items: [{ kind: 'PERSON' }, { id }] });
    t.match(await store.entities.list(page, { kind: 'AGENT', owner: 'o' }), { total: 1, items: [{ id }] });
    t.match(await store.entities.list(page, { owner: 'p' }), { total: 0, items: [] });
    t.match(await store.entities.delete(id.toUpperCase()), { id, sessionCount: 2 });
    t.equal(await store.entities.delete(id), null);
  });
}
