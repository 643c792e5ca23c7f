import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { amountOf, cAndD, cell, record, write } from './counting.ts';
import type { Open } from './open.ts';

export function entityCounters(t: Test, open: Open): void {
  t.test('what is kept of an entity is read by integration', async (t) => {
    const store = await open(t);
    const [one, other, gone] = [
      await make.createIntegration(store),
      await make.createIntegration(store),
      await make.createIntegration(store),
    ];
    const entityId = make.newId();
    async function count(integrationId: string, amount: number, of: string | null = entityId): Promise<void> {
      const session = make.session(integrationId, { entityId: of });
      await store.sessions.create(session, '{}', null);
      const asked = make.evaluation(integrationId, { session: { id: session.id }, needs: cAndD });
      const counterWrites = [write({ scope: 'entity', becomes: cell(amount) })];
      await record(store, asked, () => make.verdict({ counterWrites }));
    }
    const read = async (id: string) => (await store.counters.ofEntity(id)).map(shown);
    await count(one.id, 1, make.newId());
    await count(one.id, 2, null);
    t.strictSame(await read(entityId), [], 'nothing is counted of it');
    await count(one.id, 3);
    await count(other.id, 4);
    await count(gone.id, 5);
    await store.integrations.delete(gone.id, make.start);
    const found = [
      { integrationId: one.id, amount: 3, none: null, isCounted: [true, true, false] },
      { integrationId: other.id, amount: 4, none: null, isCounted: [true, true, false] },
    ];
    t.strictSame(await read(entityId), found);
    t.strictSame(await read(entityId.toUpperCase()), found);
  });
}

const shown = (cells: Awaited<ReturnType<Store['counters']['ofEntity']>>[number]) => ({
  integrationId: cells.integrationId,
  amount: amountOf(cells.find('c entity')),
  none: cells.find('d entity'),
  isCounted: ['c entity', 'd entity', 'e entity'].map((counter) => cells.isCounted(counter)),
});
