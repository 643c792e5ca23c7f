import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { type DecidingResource, decidingResources, decidingState } from '../../record/deciding-state.ts';
import { createDecidingReads } from '../../sql/deciding.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import type { RecordCut, RecordStore } from '../record.ts';
import { createAuditedResources } from './audited-resources.ts';
import type { Sqlite } from './database.ts';
import * as tables from './tables.ts';
import {
  auditEntries,
  housePolicies,
  integrations,
  policies,
  policyVersions,
  toolCatalogues,
} from './tables.ts';

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

  const idsIn = (
    table: typeof policies | typeof integrations,
    id: SQLiteColumn,
    after: string,
    limit: number,
  ): { id: string }[] =>
    db.select({ id }).from(table).where(gt(id, after)).orderBy(asc(id)).limit(limit).all() as {
      id: string;
    }[];
  const ids: Readonly<Record<DecidingResource, (after: string, limit: number) => { id: string }[]>> = {
    policies: (after, limit) => idsIn(policies, policies.uid, after, limit),
    lists: (after, limit) => runSteps(shared.lists.ids(db, after, limit)),
    integrations: (after, limit) => idsIn(integrations, integrations.id, after, limit),
    'house-policies': (after, limit) =>
      db
        .select({ id: policies.uid })
        .from(housePolicies)
        .innerJoin(policies, eq(policies.id, housePolicies.policyId))
        .where(gt(policies.uid, after))
        .orderBy(asc(policies.uid))
        .limit(limit)
        .all(),
  };

  function textOf(resource: DecidingResource, id: string): string | null {
    if (resource === 'lists') return runSteps(shared.lists.text(db, id));
    if (resource !== 'integrations') return null;
    const found = db
      .select({ text: toolCatalogues.tools })
      .from(toolCatalogues)
      .innerJoin(integrations, eq(integrations.id, toolCatalogues.integrationId))
      .where(eq(integrations.id, id))
      .get();
    return found?.text ?? null;
  }

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

  const versions: DecidingRows['versions'] = (resource, after, limit) => {
    if (resource === 'lists') return runSteps(shared.lists.versions(db, after, limit));
    return db
      .select({ resourceId: policies.uid, version: policyVersions.version, text: policyVersions.document })
      .from(policyVersions)
      .innerJoin(policies, eq(policies.id, policyVersions.policyId))
      .where(sql`(${policies.uid}, ${policyVersions.version}) > (${after.id}, ${after.version})`)
      .orderBy(asc(policies.uid), asc(policyVersions.version))
      .limit(limit)
      .all();
  };

  return {
    states: (resource, cut, after, limit) =>
      ids[resource](after, limit).map(({ id }) => {
        const shown = isChanged(resource, id, cut) ? null : show(resource, id);
        return {
          resourceId: id,
          state: shown === null ? null : decidingState(resource, JSON.parse(shown)),
          text: shown === null ? null : textOf(resource, id),
        };
      }),

    versions,

    *inForce() {
      for (const resource of decidingResources) {
        for (const { id } of ids[resource]('', Number.MAX_SAFE_INTEGER))
          yield { resource, resourceId: id, after: show(resource, id) };
      }
    },
  };
}
