import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

export function policyActivation(t: Test, open: Open): void {
  t.test(
    'policies: each change raises the revision, and is refused to who expects another one',
    async (t) => {
      const { policies } = await open(t);
      const { id, revision } = await policies.create(
        { id: make.newId(), status: 'DRAFT', createdAt: start },
        make.document('1'),
      );
      t.equal(revision, 1);
      const expected = new Set([1]);
      t.match(await policies.addVersion(id, make.document('2'), start, { expected }), { revision: 2 });
      const refused = [
        policies.addVersion(id, make.document('3'), start, { expected }),
        policies.activate(id, null, start, { expected }),
        policies.rollBack(id, null, start, { expected }),
        policies.schedule(id, 1, start + 1, start, { expected }),
        policies.unschedule(id, start, { expected }),
        policies.deprecate(id, start, { expected }),
        policies.delete(id, { expected }),
      ];
      for (const result of await Promise.all(refused)) t.equal(result, 'outdated');
      t.match(await policies.activate(id, null, start, { expected: new Set([1, 2]) }), { revision: 3 });
      t.match(await policies.schedule(id, 1, start + 1, start), { revision: 4 });
      t.match(await policies.unschedule(id, start), { revision: 5 });
      t.match(await policies.rollBack(id, null, start), { revision: 6, version: 1 });
      t.match(await policies.deprecate(id, start), { revision: 7 });
      for (const result of [
        await policies.rollBack(missing, null, start),
        await policies.schedule(missing, 1, start, start),
        await policies.unschedule(missing, start),
        await policies.delete(missing),
      ])
        t.equal(result, 'no_policy');
    },
  );

  t.test('policies: a rollback goes to an earlier version of an ACTIVE policy', async (t) => {
    const { policies } = await open(t);
    const { id } = await policies.create(
      { id: make.newId(), status: 'DRAFT', createdAt: start },
      { ...make.document('1', 'one'), author: missing },
    );
    t.equal(await policies.rollBack(id, 1, start), 'not_active');
    await policies.activate(id, null, start);
    t.equal(await policies.rollBack(id, null, start), 'no_version', 'there was none before');
    for (const text of ['2', '3']) await policies.addVersion(id, make.document(text, `n${text}`), start);
    t.equal(await policies.rollBack(id, 4, start), 'no_version');
    t.equal(await policies.rollBack(id, 3, start), 'not_earlier');
    t.equal(await policies.rollBack(id, 1, start, { notBy: [missing] }), 'own_version');
    t.match(await policies.rollBack(id, null, start + 7), { version: 2, name: 'n2', updatedAt: start + 7 });
    t.match(await policies.rollBack(id, 1, start), { version: 1, name: 'one', previousVersion: 2 });
    t.equal(await policies.rollBack(id, null, start), 'not_earlier', 'the one before is later');
    await policies.activate(id, 1, start);
    t.match(await policies.find(id), { previousVersion: 2 }, 'activating the current one changes no history');
  });

  t.test('policies: a scheduled version becomes the current one when it is due, once', async (t) => {
    const store = await open(t);
    const { policies } = store;
    const { id: integrationId } = await make.createIntegration(store);
    const make1 = (status: 'DRAFT' | 'ACTIVE') =>
      policies.create({ id: make.newId(), status, createdAt: start }, make.document('1'));
    const [{ id }, { id: draft }] = [await make1('ACTIVE'), await make1('DRAFT')];
    await policies.bind(integrationId, id, null, start);
    await policies.addVersion(id, { ...make.document('2', 'q'), author: missing }, start, {
      activates: false,
    });
    const nextDueAt = async () => (await policies.findInForce(integrationId))?.nextDueAt;
    t.equal(await nextDueAt(), null);
    t.equal(await policies.schedule(id, 3, start + 10, start), 'no_version');
    t.equal(await policies.schedule(id, 2, start + 10, start, { notBy: [missing] }), 'own_version');
    t.equal(await policies.unschedule(id, start), 'not_scheduled');
    t.match(await policies.schedule(id, 2, start + 10, start), {
      version: 1,
      scheduledVersion: 2,
      scheduledAt: start + 10,
    });
    await policies.schedule(draft, 1, start + 5, start);
    t.equal(await nextDueAt(), start + 10, 'only what is bound to it');
    t.strictSame(await policies.activateDue(start + 4), []);
    const revision = await make.revisionOf(store, integrationId);
    t.match(await policies.activateDue(start + 10), [
      { id: draft, status: 'ACTIVE', version: 1, updatedAt: start + 5 },
      {
        id,
        status: 'ACTIVE',
        version: 2,
        name: 'q',
        previousVersion: 1,
        scheduledVersion: null,
        scheduledAt: null,
      },
    ]);
    t.ok((await make.revisionOf(store, integrationId)) > revision);
    t.strictSame(await policies.activateDue(start + 99), []);

    for (const change of [
      () => policies.activate(id, 1, start),
      () => policies.rollBack(id, 1, start),
      () => policies.deprecate(id, start),
    ]) {
      await policies.activate(id, 2, start);
      await policies.schedule(id, 2, start + 100, start);
      t.match(await change(), { scheduledVersion: null, scheduledAt: null });
    }
  });
}
