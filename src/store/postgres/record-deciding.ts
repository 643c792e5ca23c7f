import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type DecidingResource, decidingResources, decidingState } from '../../record/deciding-state.ts';
import { createDecidingReads } from '../../sql/deciding.ts';
import { asSqlite, runSteps } from '../../sql/postgres/sql.ts';
import type { Tables } from '../../sql/tables.ts';
import type { RecordCut, RecordStore } from '../record.ts';
import { showResource } from './audited-resources.ts';
import type { Db, Postgres } from './database.ts';
import * as tables from './tables.ts';
import { auditEntries } from './tables.ts';

const shared = createDecidingReads(tables as unknown as Tables);

/** Comes before every other one. */
const firstId = '00000000-0000-0000-0000-000000000000';

async function isCalled(db: Db, cut: RecordCut, where: SQL | undefined): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(auditEntries)
    .where(and(gt(auditEntries.position, cut.call), where))
    .limit(1);
  return found.length > 0;
}

/** A policy that is deleted leaves the bindings of integrations without an entry on them. */
function isChanged(db: Db, resource: DecidingResource, id: string, cut: RecordCut): Promise<boolean> {
  const { before, after } = auditEntries;
  const isOn = and(
    eq(auditEntries.resource, resource),
    eq(auditEntries.resourceId, id),
    or(isNotNull(before), isNotNull(after)),
  );
  const deletes = and(eq(auditEntries.resource, 'policies'), isNotNull(before), isNull(after));
  return isCalled(db, cut, or(isOn, resource === 'integrations' ? deletes : undefined));
}

/** As entries name it. */
export async function* listInForce(
  db: Db,
): AsyncIterable<{ resource: DecidingResource; resourceId: string; after: string | null }> {
  for (const resource of decidingResources) {
    for (const { id } of await runSteps(shared.ids[resource](asSqlite(db), firstId, Number.MAX_SAFE_INTEGER)))
      yield { resource, resourceId: id, after: await showResource(db, resource, id) };
  }
}

/** What decides, as it stands, to be compared with what the entries of management say. */
export const createRecordDeciding = ({
  read,
}: Pick<Postgres, 'read'>): Pick<RecordStore, 'listStates' | 'listVersions'> => ({
  listStates: (resource, cut, after, limit) =>
    read(async (db) => {
      const states: Awaited<ReturnType<RecordStore['listStates']>> = [];
      for (const { id } of await runSteps(shared.ids[resource](asSqlite(db), after, limit))) {
        // A change commits with its entry: one that is read here, and not there, came in between.
        const shown = await showResource(db, resource, id);
        const text = await runSteps(shared.text(asSqlite(db), resource, id));
        const isOutdated = shown === null || (await isChanged(db, resource, id, cut));
        states.push({
          resourceId: id,
          state: isOutdated ? null : decidingState(resource, JSON.parse(shown)),
          text: isOutdated ? null : text,
        });
      }
      return states;
    }),

  listVersions: (...of) => read((db) => runSteps(shared.versions(asSqlite(db), ...of))),
});
