import { and, asc, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { InChain } from '../../../evaluate/postgres/record-chains.ts';
import {
  type EntryLink,
  hashOfOrigin,
  integrationChain,
  managementChain,
  sessionChain,
  sessionOrigin,
} from '../../../record/entries.ts';
import { managementEntry } from '../../../record/management-entry.ts';
import {
  entryOfEvaluation,
  entryOfReview,
  type RecordCut,
  type RecordStore,
  type StoredEntry,
} from '../../record.ts';
import type { Db, Postgres } from '../database.ts';
import { type EvaluationRow, selectEvaluations } from '../evaluations/evaluation-reads.ts';
import type { FinalPosition } from '../final-position.ts';
import { auditEntries, evaluationSessions, evaluations, recordEntries } from '../tables.ts';

/** The hashes of the entries before those that are read. */
interface PreviousHashes {
  /** Null when there is no such entry. */
  find(chain: string, seq: number): Promise<string | null>;
  /** Entries are read in their order: the one before was seen just now. */
  remember(chain: string, seq: number, hash: string): void;
}

/** For one read. */
function createPreviousHashes(db: Db): PreviousHashes {
  const seen = new Map<string, { seq: number; hash: string }>();

  async function first(query: SQL): Promise<string | null> {
    const { rows } = await db.execute<{ hash: string }>(query);
    return rows[0]?.hash ?? null;
  }

  /** The owner of a position among the rows of evaluations and of other entries. */
  async function among(owner: SQL, seq: number): Promise<string | null> {
    const isIt = sql`${owner} AND chain_seq = ${seq}`;
    return (
      (await first(sql`SELECT entry_hash AS hash FROM record_entries WHERE ${isIt}`)) ??
      (await first(
        sql`SELECT entry_hash AS hash FROM evaluations WHERE ${isIt} ORDER BY position DESC LIMIT 1`,
      ))
    );
  }

  return {
    async find(chain, seq) {
      const last = seen.get(chain);
      if (last?.seq === seq) return last.hash;
      const covered = await first(
        sql`SELECT hash FROM record_leaves WHERE chain = ${chain} AND seq = ${seq} ORDER BY id DESC LIMIT 1`,
      );
      if (covered !== null) return covered;
      const [kind, id = ''] = chain.split(':');
      if (kind === 'session') return among(sql`session_id = ${id}::uuid`, seq);
      if (kind === 'integration') return among(sql`session_id IS NULL AND integration_id = ${id}::uuid`, seq);
      return first(sql`SELECT entry_hash AS hash FROM audit_entries WHERE chain_seq = ${seq}`);
    },
    remember: (chain, seq, hash) => void seen.set(chain, { seq, hash }),
  };
}

/** The entries of the record, made again from the rows that they are of. */
export const createRecordReads = ({
  read,
}: Pick<Postgres, 'read'>): Pick<RecordStore, 'listEntries' | 'listEntriesOf' | 'findOrigin'> => ({
  listEntries: (from, until, limit) =>
    read(async (db) => {
      const makers = [...(await evaluationsBetween(db, from, until, limit))];
      makers.push(...(await entriesBetween(db, from, until, limit)));
      makers.push(...(await callsBetween(db, from, until, limit)));
      // Positions are drawn in the order of every chain.
      const some = makers.sort((one, other) => one.position - other.position).slice(0, limit);
      const last = some.at(-1)?.position ?? 0;
      const next = some.length < limit ? null : { evaluation: last, entry: last, call: last };
      return { entries: await makeAll(db, some), next };
    }),

  listEntriesOf: (sessionId, from, limit) =>
    read(async (db) => {
      const [session] = await db
        .select({ id: evaluationSessions.id })
        .from(evaluationSessions)
        .where(eq(evaluationSessions.id, sessionId));
      if (!session) return null;
      const rows = await selectEvaluations(
        db,
        and(eq(evaluations.sessionId, session.id), gt(evaluations.chainSeq, from.seq)),
      )
        .orderBy(asc(evaluations.position))
        .limit(limit + 1);
      const shown = rows.slice(0, limit);
      const isEnd = rows.length <= limit;
      const seq = shown.at(-1)?.chainSeq ?? from.seq;
      const others = await db
        .select()
        .from(recordEntries)
        .where(
          and(
            eq(recordEntries.sessionId, session.id),
            gt(recordEntries.chainSeq, from.seq),
            isEnd ? undefined : lt(recordEntries.chainSeq, seq),
          ),
        );
      const makers = [...shown.map(ofEvaluation), ...others.map(ofReview)].sort(
        (one, other) => one.seq - other.seq,
      );
      const next = isEnd ? null : { evaluations: from.evaluations + shown.length, seq };
      return { entries: await makeAll(db, makers), next };
    }),

  findOrigin: (chain) => read((db) => originOf(db, chain)),
});

/** An entry, once it is known what it links to. */
interface Maker {
  position: number;
  chain: string;
  seq: number;
  hash: string;
  make(link: EntryLink): StoredEntry;
}

const chainOf = ({ sessionId, integrationId }: InChain): string =>
  sessionId === null ? integrationChain(integrationId) : sessionChain(sessionId);

const ofEvaluation = (row: EvaluationRow): Maker => ({
  position: row.position,
  chain: chainOf(row),
  seq: row.chainSeq,
  hash: row.entryHash,
  make: (link) =>
    entryOfEvaluation(link, row.entryHash, {
      ...row,
      policies: row.policies ?? '',
      policyTerms: row.policyTerms ?? '',
      reviewRequestId: row.reviewUid,
      grants: row.usedGrants,
    }),
});

const ofReview = (row: typeof recordEntries.$inferSelect): Maker => ({
  position: row.position,
  chain: chainOf(row),
  seq: row.chainSeq,
  hash: row.entryHash,
  make: (link) => entryOfReview(link, row.entryHash, row.members),
});

const ofCall = (call: typeof auditEntries.$inferSelect): Maker => ({
  position: call.position,
  chain: managementChain,
  seq: call.chainSeq,
  hash: call.entryHash,
  make: ({ chain, seq, previous }) => ({
    chain,
    seq,
    hash: call.entryHash,
    text: managementEntry({ chain, seq, previous }, call),
    content: null,
    terms: null,
  }),
});

async function makeAll(db: Db, makers: readonly Maker[]): Promise<StoredEntry[]> {
  const previous = createPreviousHashes(db);
  const entries: StoredEntry[] = [];
  for (const { chain, seq, hash, make } of makers) {
    const before = seq === 1 ? await originHash(db, chain) : await previous.find(chain, seq - 1);
    entries.push(make({ chain, seq, previous: before ?? '' }));
    previous.remember(chain, seq, hash);
  }
  return entries;
}

async function originHash(db: Db, chain: string): Promise<string> {
  const origin = await originOf(db, chain);
  return origin ? hashOfOrigin(origin) : '';
}

async function originOf(db: Db, chain: string): ReturnType<RecordStore['findOrigin']> {
  if (!chain.startsWith('session:')) return { chain };
  const [session] = await db
    .select()
    .from(evaluationSessions)
    .where(eq(evaluationSessions.id, chain.slice('session:'.length)));
  return session ? sessionOrigin(session) : null;
}

type Between = [db: Db, from: RecordCut, until: RecordCut, limit: number];

const evaluationsBetween = async (...[db, from, until, limit]: Between): Promise<Maker[]> => {
  const within = and(
    gt(evaluations.position, from.evaluation),
    lte(evaluations.position, until.evaluation),
  ) as SQL;
  const rows = await selectEvaluations(db, within).orderBy(asc(evaluations.position)).limit(limit);
  return rows.map(ofEvaluation);
};

const entriesBetween = async (...[db, from, until, limit]: Between): Promise<Maker[]> => {
  const { position } = recordEntries;
  const rows = await db
    .select()
    .from(recordEntries)
    .where(and(gt(position, from.entry), lte(position, until.entry)))
    .orderBy(asc(position))
    .limit(limit);
  return rows.map(ofReview);
};

const callsBetween = async (...[db, from, until, limit]: Between): Promise<Maker[]> => {
  const { position } = auditEntries;
  const rows = await db
    .select()
    .from(auditEntries)
    .where(and(gt(position, from.call), lte(position, until.call)))
    .orderBy(asc(position))
    .limit(limit);
  return rows.map(ofCall);
};

/** So many evaluations are looked at in one read. */
const mostRows = 2_000;

interface Row extends Record<string, unknown> {
  sessionId: string | null;
  /** Null for a management call. */
  integrationId: string | null;
  seq: string;
  hash: string;
}

/**
 * Finds which chains have grown. All is of one position: each head is the last entry of its chain up to there, and no earlier one
 * can appear afterwards.
 */
export function createFindUncovered(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
): RecordStore['findUncovered'] {
  return async (after) => {
    const final = await finalPosition.find();
    return read(async (db) => {
      const { last, isLast } = await endOfStep(db, after.evaluation, final);
      const heads = (await headsBetween(db, after, last)).map(({ sessionId, integrationId, seq, hash }) => ({
        chain: sessionId
          ? sessionChain(sessionId)
          : integrationId
            ? integrationChain(integrationId)
            : managementChain,
        seq: Number(seq),
        hash,
      }));
      if (heads.length === 0 && isLast) return null;
      // A record that was moved from another database may be covered further than here.
      const cut = {
        evaluation: last,
        entry: Math.max(after.entry, last),
        call: Math.max(after.call, last),
      };
      return { cut, heads, isLast };
    });
  };
}

async function endOfStep(db: Db, from: number, final: number): Promise<{ last: number; isLast: boolean }> {
  const { rows } = await db.execute<{ count: number; last: string | null }>(
    sql`SELECT count(*)::int AS count, max(position) AS last FROM (
      SELECT position FROM evaluations WHERE position > ${from} AND position <= ${final} ORDER BY position LIMIT ${mostRows}) step`,
  );
  const { count = 0, last = null } = rows[0] ?? {};
  return count < mostRows || last === null
    ? { last: final, isLast: true }
    : { last: Number(last), isLast: false };
}

async function headsBetween(db: Db, after: RecordCut, last: number): Promise<Row[]> {
  const within = (from: number) => sql`position > ${from} AND position <= ${last}`;
  const { rows } = await db.execute<Row>(
    sql`SELECT DISTINCT ON (session_id, integration_id)
        session_id AS "sessionId", integration_id AS "integrationId", chain_seq AS seq, entry_hash AS hash
      FROM (
        SELECT session_id, CASE WHEN session_id IS NULL THEN integration_id END AS integration_id, chain_seq, entry_hash
          FROM evaluations WHERE ${within(after.evaluation)}
        UNION ALL SELECT session_id, CASE WHEN session_id IS NULL THEN integration_id END, chain_seq, entry_hash
          FROM record_entries WHERE ${within(after.entry)}
        UNION ALL SELECT NULL, NULL, chain_seq, entry_hash FROM audit_entries WHERE ${within(after.call)}
      ) entries
      ORDER BY session_id, integration_id, chain_seq DESC`,
  );
  return rows;
}
