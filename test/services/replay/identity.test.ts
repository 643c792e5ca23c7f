import t from 'tap';
import type { SimulationLine } from '../../../src/schemas/replays.ts';
import type { ReplayChange } from '../../../src/services/replay/policies-of-record.ts';
import { replay } from '../../../src/services/replay/replay.ts';
import { openReplaySource } from '../../../src/store/open.ts';
import type { ReplayFilter } from '../../../src/store/replay.ts';
import { startApp } from '../../helpers/app.ts';
import { recordHistory } from './random-history.ts';

const unchanged: ReplayChange = { bindings: [], lists: {} };

async function replayed(database: string, filter: ReplayFilter = {}, change = unchanged) {
  const source = await openReplaySource(database);
  const lines: SimulationLine[] = [];
  try {
    const options = { change, filter, differences: 50, mostToolNames: 256 };
    await replay(
      source,
      options,
      (line) => void lines.push(line),
      async () => true,
    );
  } finally {
    source.close();
  }
  const result = lines.find((line) => line.type === 'result');
  if (result?.type !== 'result') throw new Error('the replay has no result');
  return { result, differences: lines.filter((line) => line.type === 'difference') };
}

/** More of them: npm run long -- histories; other seeds: REPLAYED_SEEDS=40,41. */
const chosenSteps = Number(process.env.REPLAYED_STEPS ?? 0);
const seeds = process.env.REPLAYED_SEEDS?.split(',').map((seed) => ['full', Number(seed), 900] as const);

for (const [contentRetention, seed, most] of seeds ??
  ([
    ['full', 11, 300],
    ['full', 12, 300],
    ['full', 33, 900],
    ['redacted', 13, 300],
    ['none', 14, 300],
  ] as const)) {
  t.test(`unchanged policies reproduce every verdict (${contentRetention}, ${seed})`, async (t) => {
    const app = await startApp(t);
    const steps = chosenSteps || most;
    const history = await recordHistory(app, { seed, contentRetention, steps });
    const { result, differences } = await replayed(app.database);
    t.strictSame(differences, [], 'no verdict is another one');
    t.equal(result.evaluations, history.evaluations);
    t.equal(result.changed, 0);
    if (contentRetention === 'full') t.strictSame(result.notEvaluated, 0, 'everything is known');
    else t.ok(result.notEvaluated > 0, 'some content was not kept');
    for (const action of ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'])
      t.ok((history.actions[action] ?? 0) > steps / 90, `${action}: ${history.actions[action]}`);
    const half = await replayed(app.database, { from: history.middle });
    t.strictSame(half.differences, [], 'nor from the middle on');
    const one = await replayed(app.database, { integrationId: history.integrationIds[0] as string });
    t.strictSame(one.differences, [], 'nor of one integration');
    t.ok(one.result.evaluations > 0 && one.result.evaluations < result.evaluations);
    const session = await replayed(app.database, { sessionId: history.sessionIds.at(-1) as string });
    t.strictSame(session.differences, [], 'nor of one session');
  });
}
