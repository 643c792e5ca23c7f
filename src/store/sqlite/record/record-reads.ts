import { and, asc, eq, getTableColumns, gt, lt, lte, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { EvaluationChain, EvaluationRow } from '../../../evaluate/sqlite/evaluation-chain.ts';
import type { PolicySetRows } from '../../../evaluate/sqlite/policy-sets.ts';
import type { SessionStates } from '../../../evaluate/sqlite/session-states.ts';
import {
  type EntryLink,
  hashOfOrigin,
  integrationChain,
  managementChain,
  sessionChain,
  sessionOrigin,
} from '../../../record/entries.ts';
import { managementEntry } from '../../../record/management-entry.ts';
import type { LeafData } from '../../../record/roots.ts';
import {
  entryOfEvaluation,
  entryOfReview,
  type RecordCut,
  type RecordStore,
  type SessionCursor,
  type StoredEntry,
} from '../../record.ts';
import type { Client } from '../client.ts';
import type { Sqlite } from '../database.ts';
import { auditEntries, evaluationSessions, evaluations, integrations, recordEntries } from '../tables.ts';

/** The hash of the entry before another one, for reads. Synchronous: it runs inside a read. */
interface PreviousHashes {
  /** Null when there is no such entry. */
  find(chain: string, seq: number): string | null;
  /** Entries are read in their order: the one before was seen just now. */
  remember(chain: string, seq: number, hash: string): void;
}

/** Chains remembered at once. */
const mostRemembered = 1_000;

function createPreviousHashes({ client }: { client: Client }): PreviousHashes {
  const seen = new Map<string, { seq: number; hash: string }>();
  const pluck = <Values extends unknown[]>(sql: string) => client.prepare<Values, string>(sql).pluck();
  const covered = pluck<[string, number]>(
    'SELECT hash FROM record_leaves WHERE chain = ? AND seq = ? ORDER BY id DESC LIMIT 1',
  );
  const inSession = pluck<[string, number]>(
    `SELECT entry_hash FROM record_entries
     WHERE session_id = (SELECT id FROM evaluation_sessions WHERE uid = ?) AND chain_seq = ?`,
  );
  const ofIntegration = pluck<[string, number]>(
    `SELECT entry_hash FROM record_entries
     WHERE session_id IS NULL AND integration_id = (SELECT row FROM integrations WHERE id = ?) AND chain_seq = ?`,
  );
  // Followed by its links from the last one: there is no index by session.
  const evaluationInSession = pluck<[string, number]>(
    `WITH RECURSIVE back(id) AS (
       SELECT last_evaluation_id FROM session_states
       WHERE session_id = (SELECT id FROM evaluation_sessions WHERE uid = ?)
       UNION ALL SELECT previous_id FROM evaluations JOIN back USING (id) WHERE previous_id IS NOT NULL
     )
     SELECT entry_hash FROM evaluations JOIN back USING (id) WHERE chain_seq = ? LIMIT 1`,
  );
  const evaluationOfIntegration = pluck<[string, number]>(
    `SELECT entry_hash FROM evaluations
     WHERE session_id IS NULL AND integration_id = (SELECT row FROM integrations WHERE id = ?) AND chain_seq = ?
     ORDER BY id DESC LIMIT 1`,
  );
  const call = pluck<[number]>('SELECT entry_hash FROM audit_entries WHERE chain_seq = ?');

  return {
    find(chain, seq) {
      const last = seen.get(chain);
      if (last?.seq === seq) return last.hash;
      const leaf = covered.get(chain, seq);
      if (leaf !== undefined) return leaf;
      const [kind, id = ''] = chain.split(':');
      if (kind === 'session') return inSession.get(id, seq) ?? evaluationInSession.get(id, seq) ?? null;
      if (kind === 'integration') {
        return ofIntegration.get(id, seq) ?? evaluationOfIntegration.get(id, seq) ?? null;
      }
      return call.get(seq) ?? null;
    },
    remember(chain, seq, hash) {
      if (seen.size >= mostRemembered) seen.clear();
      seen.set(chain, { seq, hash });
    },
  };
}

/** The entries of the record, made again from the rows that they are of. */
export function createRecordReads(
  { client, db, read }: Pick<Sqlite, 'client' | 'db' | 'read'>,
  sessions: SessionStates,
  evaluationChain: EvaluationChain,
  policySets: PolicySetRows,
): Pick<RecordStore, 'listEntries' | 'listEntriesOf' | 'findOrigin'> {
  const previous = createPreviousHashes({ client });
  const before = alias(evaluations, 'before');
  const owners = { sessionUid: evaluationSessions.uid, integrationUid: integrations.id };

  const evaluationsWhere = (where: SQL | undefined, limit: number) =>
    db
      .select({
        row: getTableColumns(evaluations),
        ...owners,
        beforeSeq: before.chainSeq,
        beforeHash: before.entryHash,
      })
      .from(evaluations)
      .innerJoin(integrations, eq(integrations.row, evaluations.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, evaluations.sessionId))
      .leftJoin(before, eq(before.id, evaluations.previousId))
      .where(where)
      .orderBy(asc(evaluations.id))
      .limit(limit)
      .all();
  const entriesWhere = (where: SQL | undefined, limit: number) =>
    db
      .select({ row: getTableColumns(recordEntries), ...owners })
      .from(recordEntries)
      .innerJoin(integrations, eq(integrations.row, recordEntries.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, recordEntries.sessionId))
      .where(where)
      .orderBy(asc(recordEntries.id))
      .limit(limit)
      .all();
  const callsWhere = (where: SQL | undefined, limit: number) =>
    db.select().from(auditEntries).where(where).orderBy(asc(auditEntries.id)).limit(limit).all();

  interface Owned {
    sessionUid: string | null;
    integrationUid: string;
  }
  const chainOf = ({ sessionUid, integrationUid }: Owned): string =>
    sessionUid === null ? integrationChain(integrationUid) : sessionChain(sessionUid);

  function linkOf(chain: string, seq: number, known: string | null): EntryLink {
    const hash = seq === 1 ? originHash(chain) : (known ?? previous.find(chain, seq - 1));
    return { chain, seq, previous: hash ?? '' };
  }

  function originHash(chain: string): string {
    const origin = originOf(chain);
    return origin ? hashOfOrigin(origin) : '';
  }

  function originOf(chain: string) {
    if (!chain.startsWith('session:')) return { chain };
    const state = sessions.read(null, chain.slice('session:'.length));
    if (!state) return null;
    const { row } = state;
    const owner = db
      .select({ uid: integrations.id })
      .from(integrations)
      .where(eq(integrations.row, row.integrationId))
      .get();
    return sessionOrigin({ ...row, id: row.uid, integrationId: owner?.uid ?? '' });
  }

  function ofEvaluation(row: EvaluationRow, owned: Owned, known: string | null): StoredEntry {
    const { chainSeq: seq, entryHash: hash } = row;
    const chain = chainOf(owned);
    const { key: policies, terms: policyTerms } = policySets.find(row.policySetId);
    const entry = entryOfEvaluation(linkOf(chain, seq, known), hash, {
      ...row,
      policies,
      policyTerms,
      id: row.uid,
      integrationId: owned.integrationUid,
      reviewRequestId: row.reviewUid,
      grants: row.usedGrants,
    });
    previous.remember(chain, seq, hash);
    return entry;
  }

  function ofEntry(row: typeof recordEntries.$inferSelect, owned: Owned, known: string | null): StoredEntry {
    const chain = chainOf(owned);
    const { chainSeq: seq, entryHash: hash } = row;
    const entry = entryOfReview(linkOf(chain, seq, known), hash, row.members);
    previous.remember(chain, seq, hash);
    return entry;
  }

  function ofCall({ uid, chainSeq: seq, entryHash: hash, ...call }: typeof auditEntries.$inferSelect) {
    const text = managementEntry(linkOf(managementChain, seq, null), { ...call, id: uid });
    previous.remember(managementChain, seq, hash);
    return { chain: managementChain, seq, hash, text, content: null, terms: null };
  }

  function listBetween(from: RecordCut, until: RecordCut, limit: number) {
    const entries: StoredEntry[] = [];
    const next = { ...from };
    const rows = evaluationsWhere(
      and(gt(evaluations.id, from.evaluation), lte(evaluations.id, until.evaluation)),
      limit,
    );
    const others = entriesWhere(
      and(gt(recordEntries.id, from.entry), lte(recordEntries.id, until.entry)),
      limit,
    );
    let other = 0;
    const addOthersBefore = (evaluationRow: number): void => {
      for (let one = others[other]; one && one.row.afterEvaluationId < evaluationRow; one = others[other]) {
        entries.push(ofEntry(one.row, one, null));
        next.entry = one.row.id;
        other++;
      }
    };
    for (const { row, beforeSeq, beforeHash, ...owned } of rows) {
      addOthersBefore(row.id);
      const isBefore = beforeSeq !== null && beforeSeq === row.chainSeq - 1;
      entries.push(ofEvaluation(row, owned, isBefore ? beforeHash : null));
      next.evaluation = row.id;
    }
    if (rows.length === limit) return { entries, next };
    addOthersBefore(Number.POSITIVE_INFINITY);
    if (others.length === limit) return { entries, next };
    const calls = callsWhere(and(gt(auditEntries.id, from.call), lte(auditEntries.id, until.call)), limit);
    for (const call of calls) {
      entries.push(ofCall(call));
      next.call = call.id;
    }
    return { entries, next: calls.length === limit ? next : null };
  }

  function listInSession(sessionId: string, from: SessionCursor, limit: number) {
    const state = sessions.read(null, sessionId.toLowerCase());
    if (!state) return null;
    const last = {
      sessionRow: state.row.id,
      place: state.recordCount,
      evaluationId: state.lastEvaluationId,
    };
    const upTo = Math.min(from.evaluations + limit, last.place);
    const rows = evaluationChain
      .readPage(last, last.place - upTo, upTo - from.evaluations, Number.MAX_SAFE_INTEGER)
      .reverse();
    const [owner] = db
      .select({ uid: integrations.id })
      .from(integrations)
      .where(eq(integrations.row, state.row.integrationId))
      .all();
    const owned = { sessionUid: state.row.uid, integrationUid: owner?.uid ?? '' };
    const isEnd = upTo === last.place;
    const seq = rows.at(-1)?.chainSeq ?? from.seq;
    const others = entriesWhere(
      and(
        eq(recordEntries.sessionId, state.row.id),
        gt(recordEntries.chainSeq, from.seq),
        isEnd ? undefined : lt(recordEntries.chainSeq, seq),
      ),
      Number.MAX_SAFE_INTEGER,
    );
    const entries = [
      ...rows.map((row) => ({ seq: row.chainSeq, make: () => ofEvaluation(row, owned, null) })),
      ...others.map(({ row }) => ({ seq: row.chainSeq, make: () => ofEntry(row, owned, null) })),
    ]
      .sort((one, other) => one.seq - other.seq)
      .map(({ make }) => make());
    return { entries, next: isEnd ? null : { evaluations: upTo, seq } };
  }

  return {
    listEntries: (from, until, limit) => read(() => listBetween(from, until, limit)),
    listEntriesOf: (sessionId, from, limit) => read(() => listInSession(sessionId, from, limit)),
    findOrigin: (chain) => read(() => originOf(chain)),
  };
}

/** So many evaluations are looked at in one read: some 5 ms of the event loop. */
const mostRows = 2_000;

interface Row {
  /** The UUID of the session; null without one. */
  session: string | null;
  integrationRow: number;
  seq: number;
  hash: string;
}

/**
 * Finds which chains have grown. All of one moment: each head is the last entry of its chain among the rows of the cut, and
 * no earlier row can appear after it.
 */
export function createFindUncovered({
  client,
  read,
}: Pick<Sqlite, 'client' | 'read'>): RecordStore['findUncovered'] {
  const lastEvaluation = client
    .prepare<[number], number | null>(
      `SELECT max(id) FROM (SELECT id FROM evaluations WHERE id > ? ORDER BY id LIMIT ${mostRows})`,
    )
    .pluck();
  const countOfEvaluations = client
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM evaluations WHERE id > ? LIMIT ${mostRows})`,
    )
    .pluck();
  // Beside max(), SQLite takes the other columns from the row that has it (sqlite.org/lang_select.html#bareagg).
  const headsOf = (rows: string) =>
    client.prepare<[number, number], Row>(
      `SELECT s.uid AS session, h.integration_id AS integrationRow, seq, hash FROM (
         SELECT session_id, integration_id, max(chain_seq) AS seq, entry_hash AS hash FROM ${rows}
         GROUP BY session_id, iif(session_id IS NULL, integration_id, 0)
       ) h LEFT JOIN evaluation_sessions s ON s.id = h.session_id`,
    );
  const columns = 'session_id, integration_id, chain_seq, entry_hash';
  const evaluationHeads = headsOf(`(SELECT ${columns} FROM evaluations WHERE id > ? AND id <= ?)`);
  const entryHeads = headsOf(`(SELECT ${columns} FROM record_entries WHERE id > ? AND id <= ?)`);
  const lastEntry = client
    .prepare<[number], number | null>('SELECT max(id) FROM record_entries WHERE after_evaluation_id <= ?')
    .pluck();
  const lastCall = client.prepare<[number], { id: number; seq: number; hash: string }>(
    `SELECT id, chain_seq AS seq, entry_hash AS hash FROM audit_entries
       WHERE id > ? ORDER BY id DESC LIMIT 1`,
  );
  const integrationOf = client.prepare<[number], string>('SELECT id FROM integrations WHERE row = ?').pluck();
  const chainOf = ({ session, integrationRow }: Row): string =>
    session === null ? integrationChain(integrationOf.get(integrationRow) ?? '') : sessionChain(session);

  return (after) =>
    read(() => {
      const evaluation = lastEvaluation.get(after.evaluation) ?? after.evaluation;
      const entry = Math.max(lastEntry.get(evaluation) ?? 0, after.entry);
      const call = lastCall.get(after.call);
      if (evaluation === after.evaluation && entry === after.entry && !call) return null;
      const heads = new Map<string, LeafData>();
      const rows = [
        ...evaluationHeads.all(after.evaluation, evaluation),
        ...entryHeads.all(after.entry, entry),
      ];
      for (const row of rows) {
        const chain = chainOf(row);
        const other = heads.get(chain);
        if (!other || other.seq < row.seq) heads.set(chain, { chain, seq: row.seq, hash: row.hash });
      }
      if (call) heads.set(managementChain, { chain: managementChain, seq: call.seq, hash: call.hash });
      return {
        cut: { evaluation, entry, call: call?.id ?? after.call },
        heads: [...heads.values()],
        isLast: countOfEvaluations.get(after.evaluation) !== mostRows,
      };
    });
}
