import type { RecordChains } from '../../evaluate/sqlite/record-chains.ts';
import { type AuditStore, createAuditStore, type StoredAuditEntry } from '../../features/audit/store.ts';
import { entryHash } from '../../record/entries.ts';
import { managementEntry } from '../../record/management-entry.ts';
import { createShowResource } from '../../sql/snapshots.ts';
import { createSqliteSql, runSteps, sqliteDialect } from '../../sql/sqlite/sql.ts';
import { call } from '../../sql/steps.ts';
import { AuditedCalls, idOfChanged, type OngoingCall } from '../audited-calls.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { Revisions } from './revisions.ts';
import { auditEntries } from './tables.ts';

/** `audited` is the same database, where every change that is made during a call records the call with it. */
export function createAudit(
  sqlite: Sqlite,
  eventLog: Pick<EventLog, 'append'>,
  chains: Pick<RecordChains, 'nextOfManagement' | 'add'>,
  revisions: Revisions,
): { audit: AuditStore; audited: Sqlite } {
  const { client, db, writer } = sqlite;
  const calls = new AuditedCalls();
  const showing = createShowResource(sqliteDialect);
  const show = (resource: string | null, id: string | null) => runSteps(showing(db, resource, id));
  const totalChanges = client.prepare('SELECT total_changes()').pluck();
  function insert({ id, ...call }: StoredAuditEntry): void {
    const link = chains.nextOfManagement();
    const hash = entryHash(managementEntry(link, { id, ...call }));
    db.insert(auditEntries)
      .values({ ...call, uid: id, chainSeq: link.seq, entryHash: hash })
      .run();
    chains.add(link, hash, null);
  }

  /** Rows that change tell a change, whatever the store method returns. */
  function withEntry<T>(
    { call: made, newId, statusCode, event: eventOf }: OngoingCall,
    change: () => T,
  ): { result: T; changed: boolean } {
    const rows = totalChanges.get();
    const before = show(made.resource, made.resourceId);
    const result = change();
    if (totalChanges.get() === rows) return { result, changed: false };
    const resourceId = made.resourceId ?? idOfChanged(result);
    const after = show(made.resource, resourceId);
    const auditId = newId();
    const { told: _, ...entry } = made;
    insert({
      ...entry,
      id: auditId,
      resourceId,
      outcome: 'SUCCEEDED',
      statusCode,
      message: made.told?.message ?? null,
      before,
      after,
    });
    const event = eventOf({ call: made, auditId, resourceId, before, after });
    if (event) eventLog.append(event);
    return { result, changed: true };
  }

  const run: Sqlite['writer']['run'] = async (change, needed) => {
    const ongoing = calls.current();
    if (!ongoing) return writer.run(change, needed);
    const { result, changed } = await writer.run(() => withEntry(ongoing, change), needed);
    if (changed) ongoing.recorded();
    return result;
  };

  const { during, within, telling } = calls;
  const entries = createAuditStore(createSqliteSql(sqlite, revisions), {
    insert: (_, entry) => call(() => insert(entry)),
  });
  const audit: AuditStore = { during, within, telling, ...entries };
  return { audit, audited: { ...sqlite, writer: { ...writer, run } } };
}
