import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { KeptLimits } from '../../../src/evaluate/sqlite/session-states.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import type { NewEvaluation, SessionContext, Store } from '../../../src/store/store.ts';
import { auditDatabase } from '../../durability/audit.ts';
import { createRandom } from '../../durability/random.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import * as make from '../samples.ts';

// What an action sees of its session, against a model that is nothing but the list of its actions.

type Action = Pick<SessionContext['recentActions'][number], 'tool' | 'dataTags' | 'enforcementAction'> & {
  phase: 'ACTION' | 'PROMPT';
};

const { start } = make;
const tags = ['PII', 'EMAIL_ADDRESS', 'CREDENTIALS', 'FINANCIAL'];

async function openStores(t: Test, count: number, kept: KeptLimits) {
  const file = join(temporaryFolder(t), 'assize.db');
  const stores = Array.from({ length: count }, () =>
    openSqliteStore({ file, migrations, kept, onSyncFailure: (error) => t.fail(error.message) }),
  );
  t.teardown(() => Promise.all(stores.map((store) => store.close())));
  const { id: integrationId } = await make.createIntegration(stores[0] as Store);
  return { file, stores, integrationId };
}

const newSession = (integrationId: string) => make.session(integrationId, { expiresAt: start + 1e9 });

const newEvaluation = (
  integrationId: string,
  session: string,
  action: Action,
  recentActions: boolean,
): NewEvaluation =>
  make.evaluation(integrationId, {
    session: { id: session },
    phase: action.phase,
    needs: { recentActions, pendingReview: false, counters: null, repeats: false, sightings: false },
    tool: action.tool,
    dataTags: action.dataTags,
  });

/** The context that follows from a list of actions, by the contract's words. */
function modelOf(actions: readonly Action[], recent: boolean) {
  const counted = actions.filter(({ phase }) => phase === 'ACTION');
  const count = (wanted: string) => counted.filter((action) => action.enforcementAction === wanted).length;
  const countsOf = (some: readonly Action[]) => {
    const counts = new Map<string, number>();
    for (const { tool } of some) if (tool !== '') counts.set(tool, (counts.get(tool) ?? 0) + 1);
    return counts;
  };
  const isLetThrough = ({ enforcementAction }: Action) =>
    enforcementAction === 'ALLOW' || enforcementAction === 'WARN';
  const toolCounts = countsOf(counted.filter(isLetThrough));
  const stopped = countsOf(counted.filter((action) => !isLetThrough(action)));
  const attempts = countsOf(counted);
  return {
    actionCount: counted.length,
    warningCount: count('WARN'),
    blockCount: count('BLOCK'),
    reviewCount: count('APPROVAL_REQUIRED'),
    dataTags: [...new Set(actions.flatMap((action) => action.dataTags))],
    toolCounts: [...toolCounts],
    attemptCounts: [...new Set([...toolCounts.keys(), ...stopped.keys()])].map((tool) => [
      tool,
      attempts.get(tool),
    ]),
    ...(recent && {
      recentActions: counted
        .slice(-50)
        .reverse()
        .map(({ phase: _, ...action }) => action),
    }),
  };
}

function seenOf(context: SessionContext, recent: boolean): ReturnType<typeof modelOf> {
  const { actionCount, warningCount, blockCount, reviewCount, dataTags } = context;
  return {
    ...{ actionCount, warningCount, blockCount, reviewCount },
    dataTags: [...dataTags],
    toolCounts: [...context.toolCounts],
    attemptCounts: [...context.attemptCounts],
    ...(recent && {
      recentActions: context.recentActions.map(({ tool, dataTags, enforcementAction }) => ({
        ...{ tool, dataTags, enforcementAction },
      })),
    }),
  };
}

for (const { name, storeCount, kept } of [
  { name: 'kept in memory', storeCount: 1, kept: { bytes: 10_000_000 } },
  { name: 'dropped for others', storeCount: 1, kept: { bytes: 10_000 } },
  { name: 'dropped for their many tools', storeCount: 1, kept: { bytes: 25_000 } },
  { name: 'changed by two stores', storeCount: 2, kept: { bytes: 40_000 } },
]) {
  t.test(`actions and reads see exactly the actions before them: states ${name}`, async (t) => {
    const random = createRandom(storeCount * 1_000 + kept.bytes);
    const { file, stores, integrationId } = await openStores(t, storeCount, kept);
    const sessions = Array.from({ length: 8 }, () => newSession(integrationId));
    for (const session of sessions) await stores[0]?.sessions.create(session, '{}', null);
    const actions = new Map<string, Action[]>(sessions.map(({ id }) => [id, []]));
    let failures = 0;

    for (let round = 0; round < 250; round++) {
      const store = random.pick(stores);
      // Several in one transaction; some of them fail, and what the others learnt in it is void.
      const changes = Array.from({ length: 1 + random.below(5) }, async () => {
        const { id } = random.pick(sessions);
        const action: Action = {
          tool: random.chance(0.1) ? '' : `tool-${random.below(random.pick([5, 70]))}`,
          dataTags: tags.filter(() => random.chance(0.05)),
          enforcementAction: random.pick(['ALLOW', 'ALLOW', 'WARN', 'BLOCK', 'APPROVAL_REQUIRED']),
          phase: random.chance(0.2) ? 'PROMPT' : 'ACTION',
        };
        const recent = random.chance(0.3);
        const fails = random.chance(0.05);
        let seen: object = {};
        const recorded = store.evaluations.record(
          newEvaluation(integrationId, id, action, recent),
          (context) => {
            seen = seenOf(context, recent);
            if (fails) throw new Error('bad');
            return make.verdict({ enforcementAction: action.enforcementAction });
          },
        );
        await recorded.catch(() => failures++);
        return { id, action, recent, fails, seen };
      });
      // They were recorded in the order in which they were asked for.
      for (const { id, action, recent, fails, seen } of await Promise.all(changes)) {
        const before = actions.get(id) ?? [];
        const model = modelOf(before, recent);
        if (JSON.stringify(seen) !== JSON.stringify(model)) t.strictSame(seen, model, `round ${round}`);
        if (!fails) before.push(action);
      }
      // A read sees what was written last, by whichever store.
      const { id } = random.pick(sessions);
      const read = await random.pick(stores).sessions.findWithActions(integrationId, id, start);
      const seen =
        read &&
        seenOf({ ...read.session, recentActions: read.recentActions } as unknown as SessionContext, true);
      const model = modelOf(actions.get(id) ?? [], true);
      if (JSON.stringify(seen) !== JSON.stringify(model)) t.strictSame(seen, model, `read after ${round}`);
    }
    t.ok(failures > 10, 'transactions were rolled back');
    // The verdicts of this test open no reviews.
    const wrong = auditDatabase(file).filter(
      (line) => !line.startsWith('a held evaluation without a review'),
    );
    t.strictSame(wrong, []);
    for (const { id } of sessions) {
      for (const store of stores) {
        const read = await store.sessions.find(integrationId, id, start);
        const { recentActions: _, ...model } = {
          recentActions: [],
          ...modelOf(actions.get(id) ?? [], false),
        };
        const { toolCounts = [], attemptCounts = [] } = read ?? {};
        t.match({ ...read, toolCounts: [...toolCounts], attemptCounts: [...attemptCounts] }, model);
      }
    }
  });
}
