import t from 'tap';
import { startApp } from '../../helpers/app.ts';
import { recordHistory } from './random-history.ts';
import { replayAll } from './replay-all.ts';

// takes long: begins first

/** More of them: npm run long -- histories; other seeds: REPLAYED_SEEDS=40,41. */
const chosenSteps = Number(process.env.REPLAYED_STEPS ?? 0);
const seeds = process.env.REPLAYED_SEEDS?.split(',').map((seed) => ['full', Number(seed), 900] as const);

for (const [contentRetention, seed, most] of seeds ??
  ([
    ['full', 11, 300],
    ['full', 33, 900],
    ['redacted', 13, 300],
    ['none', 14, 300],
  ] as const)) {
  t.test(`unchanged policies reproduce every verdict (${contentRetention}, ${seed})`, async (t) => {
    const app = await startApp(t);
    const steps = chosenSteps || most;
    const history = await recordHistory(app, { seed, contentRetention, steps });
    const { result, differences } = await replayAll(app.database);
    t.strictSame(differences, [], 'no verdict is another one');
    t.equal(result.evaluations, history.evaluations);
    t.equal(result.changed, 0);
    if (contentRetention === 'full') t.strictSame(result.notEvaluated, 0, 'everything is known');
    else t.ok(result.notEvaluated > 0, 'some content was not kept');
    for (const action of ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'])
      t.ok((history.actions[action] ?? 0) > steps / 90, `${action}: ${history.actions[action]}`);
    const half = await replayAll(app.database, { filter: { from: history.middle } });
    t.strictSame(half.differences, [], 'nor from the middle on');
    const one = await replayAll(app.database, {
      filter: { integrationId: history.integrationIds[0] as string },
    });
    t.strictSame(one.differences, [], 'nor of one integration');
    t.ok(one.result.evaluations > 0 && one.result.evaluations < result.evaluations);
    const session = await replayAll(app.database, {
      filter: { sessionId: history.sessionIds.at(-1) as string },
    });
    t.strictSame(session.differences, [], 'nor of one session');
  });
}
