import { join } from 'node:path';
import t from 'tap';
import type { CountedPlace } from '../../../src/evaluate/counters/counters.ts';
import { moveToPostgres, openStore } from '../../../src/store/open.ts';
import { openPostgresReplaySource } from '../../../src/store/postgres/record/replay-source.ts';
import type { ReplayFilter, ReplaySource } from '../../../src/store/replay.ts';
import { openSqliteReplaySource } from '../../../src/store/sqlite/record/replay-source.ts';
import { allMigrations, temporaryFolder } from '../../helpers/app.ts';
import { missing } from '../contract/open.ts';
import * as make from '../samples.ts';
import { createDatabase } from './open.ts';

const { start } = make;

/** All that a replay reads of these evaluations, without the numbers of rows, which each backend gives in its own way. */
function readAll(source: ReplaySource, filter: ReplayFilter, isWide = false) {
  const range = source.range(filter, isWide);
  if (!range) return null;
  const inRange = source.rows(range, range.after, range.last);
  t.strictSame(source.rowsAt(inRange.map(({ row }) => row)), inRange, 'the same rows by their numbers');
  const rows = inRange.map((row) => {
    const { integrationRow, sessionRow, policySetRow, row: place, ...rest } = row;
    const session = sessionRow === null ? null : source.session(sessionRow);
    return {
      ...rest,
      integration: source.integration(integrationRow),
      session: session && {
        ...session.opened,
        hasChildren: session.hasChildren,
        isLast: session.lastRow === place,
      },
      set: source.policySet(policySetRow),
      isSelected: place >= range.firstSelected,
      grants: source.grantsUsed(place),
      triaged: source.triaged(place - 1, place).map(({ place, status }) => [place, status]),
    };
  });
  return {
    rows,
    changes: source.changes(range.after, range.last + 1).map(({ kind, label, at }) => [kind, label, at]),
  };
}

t.test('a replay reads the same from PostgreSQL as from the file that was moved there', async (t) => {
  const file = join(temporaryFolder(t), 'assize.db');
  const store = await openStore(file, { migrations: allMigrations });
  const [one, other] = [await make.createIntegration(store), await make.createIntegration(store)];
  const policy = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
  await store.policies.create(policy, make.document('the document'));
  const entityId = make.newId();
  const session = make.session(one.id, { entityId, expiresAt: start + 9_000_000 });
  await store.sessions.create(session, '{}', null);
  for (let n = 0; n < 30; n++) {
    const within = n % 3 ? { id: session.id } : null;
    const integrationId = n % 3 ? one.id : other.id;
    const at = start + n * 60_000;
    await store.evaluations.record(
      make.evaluation(integrationId, { session: within, at, tool: `tool ${n % 4}`, input: `{"n":${n}}` }),
      () => make.verdict({ labels: within && n === 10 ? ['l'] : [] }),
    );
    if (n === 20) await store.sessions.removeLabel(session.id, 'l');
  }
  await store.close();
  const address = await createDatabase(t);
  await moveToPostgres(file, address, {
    migrations: allMigrations,
    at: start,
    progress: { tell: () => undefined },
  });
  const [before, after] = [openSqliteReplaySource(file), openPostgresReplaySource(address)];
  t.teardown(() => [before, after].forEach((source) => void source.close()));
  const filters: ReplayFilter[] = [
    {},
    { integrationId: one.id.toUpperCase() },
    { sessionId: session.id },
    { to: start + 10 * 60_000 - 30_000 },
    { from: start + 15 * 60_000 - 30_000 },
    { sessionId: missing },
  ];
  for (const filter of filters)
    for (const isWide of [false, true])
      t.strictSame(readAll(after, filter, isWide), readAll(before, filter, isWide), JSON.stringify(filter));
  t.equal(readAll(after, {})?.rows.length, 30);
  t.equal(after.document(policy.id, 1), 'the document');
  t.equal(after.document(policy.id, 2), null);
  t.strictSame(after.policySetRows().length, before.policySetRows().length);
  const places: CountedPlace[] = [
    { integrationId: one.id, scope: 'session', sessionId: session.id },
    { integrationId: one.id, scope: 'tree', rootId: session.id },
    { integrationId: one.id, scope: 'entity', entityId },
    { integrationId: other.id, scope: 'entity', entityId: null },
    { integrationId: other.id, scope: 'integration' },
  ];
  for (const place of places) {
    const counted = (source: ReplaySource) => source.counted(place, 0, Number.MAX_SAFE_INTEGER);
    t.strictSame(counted(after), counted(before), place.scope);
    t.ok(counted(after).length > 0);
  }
});
