import type { Test } from 'tap';
import * as make from '../samples.ts';
import { type Open, page, wide } from './open.ts';

const { start } = make;

/** Each to the byte: what a backend is tempted to sort, fold, trim, normalise or round. */
const awkward = [
  '{"b":1,"a":2,"10":3,"9":4}',
  '{ "spaced" :  [1.0, 1e2, 0.10, -0] }',
  '{"é":"e\u0301 \u{1f600} \u2028 \uffff","quote":"\'\\"","nul":"\\u0000"}',
  '{"trailing":"   "}   ',
];

export function texts(t: Test, open: Open): void {
  t.test('text comes back to the byte', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    for (const text of awkward) {
      const created = make.session(id, { metadata: text, externalSessionId: text });
      await store.sessions.create(created, text, null);
      t.match(await store.sessions.find(id, created.id, start), { metadata: text, externalSessionId: text });
      const same = await store.sessions.list(id, { externalSessionId: text }, page, start);
      t.equal(same.total, 1, 'and is found as it is');
      const policy = { id: make.newId(), status: 'DRAFT' as const, createdAt: start };
      await store.policies.create(policy, make.document(text, text));
      t.match(await store.policies.findVersion(policy.id, 1), { document: text, name: text });
      await store.evaluations.record(
        make.evaluation(id, {
          session: { id: created.id },
          input: text,
          targetMetadata: text,
          targetKey: text,
          correlationId: text,
          tool: text,
        }),
        () => make.verdict(),
      );
      const evaluated = await store.evaluations.listInSession(id, created.id, page, wide);
      t.match(evaluated?.items, [
        { input: text, targetMetadata: text, targetKey: text, correlationId: text, tool: text },
      ]);
    }
    t.equal(
      (await store.sessions.list(id, { externalSessionId: '{"TRAILING":"   "}   ' }, page, start)).total,
      0,
    );
  });
}
