import type { Test } from 'tap';
import type { EvaluationFilter, NewEvaluation, Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, wide } from './open.ts';

const { start } = make;
const violation = (ruleId: string) => ({
  id: make.newId(),
  ruleId,
  ruleName: ruleId,
  policyId: missing,
  policyName: 'p',
  policyVersion: 1,
  mode: 'ENFORCE' as const,
  severity: 'HIGH' as const,
  enforcementAction: 'BLOCK' as const,
  reason: 'r',
  message: 'm',
});

async function record(
  store: Store,
  integrationId: string,
  more: Partial<NewEvaluation>,
  rules: string[] = [],
) {
  const evaluation = make.evaluation(integrationId, {
    revision: await make.revisionOf(store, integrationId),
    ...more,
  });
  const verdict = make.verdict(
    rules.length === 0
      ? {}
      : { enforcementAction: 'BLOCK', outcome: 'DENY', violations: rules.map(violation) },
  );
  await store.evaluations.record(evaluation, () => verdict);
  return evaluation.id;
}

export function evaluationSearch(t: Test, open: Open): void {
  t.test('search: finds evaluations by each filter and by all of them, newest first', async (t) => {
    const store = await open(t);
    const [a, b] = [await make.createIntegration(store), await make.createIntegration(store)];
    const entityId = make.newId();
    const inSession = (id: string, entity: string | null) => ({
      session: { open: { ...make.session(id), entityId: entity } },
    });
    const ids: string[] = [];
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const add = async (...given: Parameters<typeof record>) => ids.push(await record(...given));
    await add(store, a.id, { tool: 'x', at: start });
    await add(store, a.id, { tool: 'y', at: start + 10, dataTags: ['PII', 'EMAIL_ADDRESS'] }, ['r1', 'r2']);
    await add(store, b.id, { tool: 'x', at: start + 20, correlationId: 'c-1', traceId }, ['r2']);
    await add(store, a.id, { tool: 'x', at: start + 30, dataTags: ['PII'], ...inSession(a.id, entityId) });
    await add(store, b.id, { tool: 'z', at: start + 40, ...inSession(b.id, entityId) }, ['r1']);
    await add(store, b.id, { tool: 'z', at: start + 50, ...inSession(b.id, missing) });
    const search = async (filter: EvaluationFilter, page = { page: 1, size: 50 }) => {
      const found = await store.evaluations.search(filter, page, wide);
      return found?.items.map(({ id }) => ids.indexOf(id));
    };
    const cases: [EvaluationFilter, number[]][] = [
      [{}, [5, 4, 3, 2, 1, 0]],
      [{ tool: 'x' }, [3, 2, 0]],
      [{ tool: 'none' }, []],
      [{ integrationId: b.id.toUpperCase() }, [5, 4, 2]],
      [{ integrationId: missing }, []],
      [{ enforcementAction: 'BLOCK' }, [4, 2, 1]],
      [{ enforcementAction: 'WARN' }, []],
      [{ dataTag: 'PII' }, [3, 1]],
      [{ ruleId: 'r2' }, [2, 1]],
      [{ correlationId: 'c-1' }, [2]],
      [{ correlationId: 'c-1', tool: 'y' }, []],
      [{ traceId }, [2]],
      [{ traceId, tool: 'y' }, []],
      [{ entityId: entityId.toUpperCase() }, [4, 3]],
      [{ entityId, tool: 'x' }, [3]],
      [{ entityId: make.newId() }, []],
      [{ from: start + 20 }, [5, 4, 3, 2]],
      [{ to: start + 20 }, [1, 0]],
      [{ from: start + 10, to: start + 40, tool: 'x' }, [3, 2]],
      [{ from: start + 60 }, []],
      [{ to: start }, []],
      [{ before: ids[3] as string }, [2, 1, 0]],
      [{ before: ids[3] as string, tool: 'x' }, [2, 0]],
      [{ before: ids[4] as string, entityId }, [3]],
      [{ tool: 'z', ruleId: 'r1', integrationId: b.id, entityId }, [4]],
      [{ tool: 'x', ruleId: 'r2', integrationId: b.id }, [2]],
      [{ tool: 'x', dataTag: 'PII', ruleId: 'r1' }, []],
    ];
    // PostgreSQL indexes them with the statistics, and finds them before as well.
    for (const when of ['at once', 'later']) {
      for (const [filter, expected] of cases)
        t.strictSame(await search(filter), expected, `${when}: ${JSON.stringify(filter)}`);
      await store.stats.count();
    }
    t.strictSame(await search({ tool: 'x' }, { page: 2, size: 1 }), [2]);
    t.equal(await store.evaluations.search({ before: missing }, { page: 1, size: 1 }, wide), null);
  });

  t.test('search: says how many there are, or where to go on', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await record(store, id, { tool: 'x', at: start + n }));
    const search = async (filter: EvaluationFilter, page: number, size: number) => {
      const { items = [], ...rest } = (await store.evaluations.search(filter, { page, size }, wide)) ?? {};
      return { ids: items.map((item) => ids.indexOf(item.id)), ...rest };
    };
    t.strictSame(await search({}, 1, 2), { ids: [4, 3], total: 5, isWhole: true, next: ids[3] });
    t.strictSame(await search({ tool: 'x' }, 1, 2), { ids: [4, 3], total: 3, isWhole: false, next: ids[3] });
    t.strictSame(await search({ tool: 'x', before: ids[3] as string }, 1, 2), {
      ids: [2, 1],
      total: 3,
      isWhole: false,
      next: ids[1],
    });
    t.strictSame(await search({ tool: 'x' }, 3, 2), { ids: [0], total: 5, isWhole: true, next: null });
    t.strictSame(await search({ tool: 'x' }, 1, 5), {
      ids: [4, 3, 2, 1, 0],
      total: 5,
      isWhole: true,
      next: null,
    });
  });

  t.test('search: finds what is rare among thousands, in whatever block it is', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const rare: string[] = [];
    const waiting: Promise<unknown>[] = [];
    const revision = await make.revisionOf(store, id);
    for (let n = 0; n < 1_000; n++) {
      const isRare = [0, 127, 128, 400, 999].includes(n);
      const evaluation = make.evaluation(id, {
        revision,
        at: start + n,
        tool: isRare ? 'rare' : `t${n % 3}`,
      });
      if (isRare) rare.unshift(evaluation.id);
      waiting.push(store.evaluations.record(evaluation, () => make.verdict()));
    }
    await Promise.all(waiting);
    await store.stats.count();
    const found = await store.evaluations.search({ tool: 'rare' }, { page: 1, size: 50 }, wide);
    t.strictSame(found?.items.map((item) => item.id).sort(), rare.sort());
    const between = { from: start + 100, to: start + 401, tool: 'rare' };
    const some = await store.evaluations.search(between, { page: 1, size: 50 }, wide);
    t.strictSame(some?.items.map((item) => item.id).sort(), rare.slice(1, 4).sort());
  });
}
