import t from 'tap';
import { readingSightings, replayingHistory } from '../../src/services/explanations/history.ts';
import type { StoredEvaluation } from '../../src/store/store.ts';

const evaluation = (place: number): StoredEvaluation =>
  ({
    id: `e${place}`,
    seq: place,
    phase: 'ACTION',
    tool: 'mail.send',
    targetKey: null,
    input: JSON.stringify({ to: `person${place}@example.org` }),
    resultOf: null,
    dataTags: [],
    labels: [],
    violations: [],
    enforcementAction: place % 2 === 0 ? 'ALLOW' : 'BLOCK',
    createdAt: place,
  }) as unknown as StoredEvaluation;
const earlier = Array.from({ length: 100 }, (_, place) => evaluation(place));

function finished<Result>(work: Generator<void, Result>): { pauses: number; result: Result } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next();
    if (done) return { pauses, result: value };
  }
}

t.test('#36: a history is made again with a pause after each evaluation', async (t) => {
  const situation = {
    integration: { id: 'i', name: 'n', kind: 'AGENT' },
    opened: {
      id: 's',
      integrationId: 'i',
      entityId: null,
      externalSessionId: 's',
      metadata: '{}',
      startedAt: 0,
    },
    catalogue: { tools: [], changedAt: 0 },
    removedLabels: [],
    rejectionCount: 0,
    evaluation: evaluation(100),
  } as unknown as Parameters<typeof replayingHistory>[2];
  const { pauses, result } = finished(replayingHistory([], earlier, situation));
  t.equal(pauses, earlier.length);
  t.equal(result.session.actionCount, earlier.length);
});

t.test(
  '#36: what was seen is read once, with a pause after each evaluation that was let through',
  async (t) => {
    const { pauses, result } = finished(readingSightings(earlier));
    t.equal(pauses, 50);
    t.strictSame(result('person4@example.org'), { found: true, actions: [4], isComplete: true });
    t.strictSame(result('person5@example.org'), { found: false, actions: [], isComplete: true });
  },
);
