import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type DecidingResource, decidingResources, decidingState } from '../../record/deciding-state.ts';
import { createDecidingReads } from '../../sql/deciding.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import type { RecordCut, RecordStore } from '../record.ts';
import { createAuditedResources } from './audited-resources.ts';
import type { Sqlite } from './database.ts';
import * as tables from './tables.ts';
import { auditEntries } from './tables.ts';

type Listed<Name extends 'listStates' | 'listVersions'> = Awaited<ReturnType<RecordStore[Name]>>;

/** What decides, as it stands, to be compared with what the entries of management say. Synchronous. */
export interface DecidingRows {
  states(...of: Parameters<RecordStore['listStates']>): Listed<'listStates'>;
  versions(...of: Parameters<RecordStore['listVersions']>): Listed<'listVersions'>;
  /** As entries name it. */
  inForce(): Iterable<{ resource: DecidingResource; resourceId: string; after: string | null }>;
}

export function createDecidingRows(sqlite: Sqlite): DecidingRows {
  const { db } = sqlite;
  const show = createAuditedResources(sqlite);
  const shared = createDecidingReads(tables);

  const isCalled = (cut: RecordCut, where: SQL | undefined): boolean =>
    db
      .select({ one: sql`1` })
      .from(auditEntries)
      .where(and(gt(auditEntries.id, cut.call), where))
      .limit(1)
      .get() !== undefined;
  /** A policy that is deleted leaves the bindings of integrations, and the house policies, without an entry on them. */
  function isChanged(resource: DecidingResource, id: string, cut: RecordCut): boolean {
    const { before, after } = auditEntries;
    const isOn = and(
      eq(auditEntries.resource, resource),
      eq(auditEntries.resourceId, id),
      or(isNotNull(before), isNotNull(after)),
    );
    const deletes = and(eq(auditEntries.resource, 'policies'), isNotNull(before), isNull(after));
    return isCalled(cut, or(isOn, resource === 'integrations' ? deletes : undefined));
  }

  return {
    states: (resource, cut, after, limit) =>
      runSteps(shared.ids[resource](db, after, limit)).map(({ id }) => {
        const shown = isChanged(resource, id, cut) ? null : show(resource, id);
        return {
          resourceId: id,
          state: shown === null ? null : decidingState(resource, JSON.parse(shown)),
          text: shown === null ? null : runSteps(shared.text(db, resource, id)),
        };
      }),

    versions: (...of) => runSteps(shared.versions(db, ...of)),

    *inForce() {
      for (const resource of decidingResources) {
        for (const { id } of runSteps(shared.ids[resource](db, '', Number.MAX_SAFE_INTEGER)))
          yield { resource, resourceId: id, after: show(resource, id) };
      }
    },
  };
}
