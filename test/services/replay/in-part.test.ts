import t from 'tap';
import type { ReplayChange, TriedBinding } from '../../../src/services/replay/policies-of-record.ts';
import { startApp } from '../../helpers/app.ts';
import { documentsInSessions, recordHistory } from './random-history.ts';
import { replayAll } from './replay-all.ts';

const as = (
  policyId: string,
  document: string | null,
  lists: Record<string, string[]> = {},
): TriedBinding => ({
  policyId,
  integrationId: null,
  policy: document === null ? null : { policyId, version: 9, document, params: '{}', mode: null, lists },
  isAdded: false,
});
const added = (name: string, rest: string): TriedBinding => ({
  ...as(`00000000-0000-0000-0000-0000000000${name}`, `schemaVersion: 1\nname: new-${name}\n${rest}`),
  isAdded: true,
});

/** A counter across sessions, which counts nothing: all policies judge everything then. */
const judgesAll = added(
  '01',
  'counters: { c: { over: integration, within: 1h, where: tool == "none" } }\nrules: [{ id: none, when: counters.c > 0, effect: BLOCK }]',
);

async function replayed(database: string, change: ReplayChange) {
  let readAgain = 0;
  const { result, differences } = await replayAll(database, { change, differences: 10_000 }, (source) => ({
    ...source,
    rowsAt(rows) {
      readAgain += rows.length;
      return source.rowsAt(rows);
    },
  }));
  const { seconds: _, rules, ...counts } = result;
  const found = rules.filter(({ before, after }) => before + after > 0);
  const byRule = found.map((one) => JSON.stringify(one)).sort();
  return { counts, byRule, differences, readAgain };
}

for (const seed of [21, 22]) {
  t.test(`policies on trial alone find what all policies find (${seed})`, async (t) => {
    const app = await startApp(t);
    const history = await recordHistory(app, {
      seed,
      contentRetention: 'full',
      steps: 300,
      countsIn: 'sessions',
    });
    const [limits, flows] = history.policyIds as [string, string];
    const [limits1, flows1] = documentsInSessions(1) as [string, string];
    const partners = { partners: ['other'] };
    const changes: Record<string, ReplayChange> = {
      'another version': { bindings: [as(flows, flows1, partners)], lists: {} },
      'another limit': { bindings: [as(limits, limits1.replace('60.0', '40.0'))], lists: {} },
      'a policy that is gone': { bindings: [as(flows, null)], lists: {} },
      'another list': { bindings: [], lists: { partners: [] } },
      'a new rule': {
        bindings: [added('02', 'rules: [{ id: big, tool: pay, when: input.amount >= 11, effect: BLOCK }]')],
        lists: {},
      },
      'a new counter': {
        bindings: [
          added(
            '03',
            'counters: { posts: { over: session, where: tool == "post" } }\nrules: [{ id: posts, when: counters.posts > 3, effect: WARN, label: [POSTS] }]',
          ),
        ],
        lists: {},
      },
      'a new rule that finds nothing': {
        bindings: [added('04', 'rules: [{ id: none, when: tool == "none", effect: BLOCK }]')],
        lists: {},
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const { readAgain, ...inPart } = await replayed(app.database, change);
      const { readAgain: none, ...all } = await replayed(app.database, {
        ...change,
        bindings: [...change.bindings, judgesAll],
      });
      t.strictSame(inPart, all, name);
      t.equal(none, 0, 'nothing is read again when all policies judge everything');
      if (name.startsWith('a new')) t.ok(inPart.counts.evaluations > readAgain, name);
      if (name === 'a new rule') t.ok(readAgain > 0, 'sessions are replayed from their beginning');
    }
  });
}
