import Database from 'better-sqlite3';
import { auditCounters } from './audit-counters.ts';
import { auditSightings } from './audit-sightings.ts';

interface SessionRow {
  id: number;
  uid: string;
  status: string;
  ended_at: number | null;
  action_count: number;
  warning_count: number;
  block_count: number;
  review_count: number;
  data_tags: string;
  tool_counts: string;
  stopped_counts: string;
  other_count: number;
  last_action_id: number | null;
  last_evaluation_id: number | null;
}
interface EvaluationRow {
  id: number;
  session_id: number;
  seq: number | null;
  phase: string;
  previous_action_id: number | null;
  previous_id: number | null;
  tool: string;
  enforcement_action: string;
  data_tags: string | null;
}

/** Sentences about what is wrong in the file; none when every row agrees with every other. */
export function auditDatabase(file: string): string[] {
  const client = new Database(file, { readonly: true });
  try {
    const wrong: string[] = [];
    const say = (sentence: string): void => void wrong.push(sentence);
    // One snapshot: the process may be serving.
    client.transaction(() => {
      auditFile(client, say);
      auditSessions(client, say);
      auditBlocks(client, say);
      auditReviews(client, say);
      auditCounters(client, say);
      auditSightings(client, say);
    })();
    return wrong;
  } finally {
    client.close();
  }
}

type Say = (sentence: string) => void;

function auditFile(client: Database.Database, say: Say): void {
  for (const line of client.pragma('integrity_check') as { integrity_check: string }[]) {
    if (line.integrity_check !== 'ok') say(`integrity: ${line.integrity_check}`);
  }
  const broken = client.pragma('foreign_key_check') as unknown[];
  if (broken.length > 0) say(`foreign keys: ${JSON.stringify(broken.slice(0, 3))}`);
  const rows = (sql: string) => client.prepare(sql).pluck().all();
  for (const uid of rows('SELECT uid FROM evaluations GROUP BY uid HAVING count(*) > 1')) {
    say(`evaluation ${uid} is there more than once`);
  }
  // The load gives every request a correlation id of its own, and repeats it only under the same idempotency key.
  for (const id of rows(
    'SELECT correlation_id FROM evaluations WHERE correlation_id IS NOT NULL GROUP BY correlation_id HAVING count(*) > 1',
  )) {
    say(`request ${id} was recorded more than once`);
  }
}

/** Recomputes every session from its evaluations. */
function auditSessions(client: Database.Database, say: Say): void {
  const bySession = new Map<number, EvaluationRow[]>();
  const evaluations = client.prepare<[], EvaluationRow>(
    `SELECT id, session_id, seq, phase, previous_id, previous_action_id, tool, enforcement_action, data_tags
     FROM evaluations WHERE session_id IS NOT NULL ORDER BY id`,
  );
  for (const row of evaluations.iterate()) {
    const rows = bySession.get(row.session_id);
    if (rows) rows.push(row);
    else bySession.set(row.session_id, [row]);
  }
  const further = (table: string) =>
    client.prepare<[number], { tool: string; call_count: number }>(
      `SELECT tool, call_count FROM ${table} WHERE session_id = ? ORDER BY first_seq`,
    );
  const furtherTools = further('session_tools');
  const furtherStopped = further('session_stopped_tools');
  const marks = client.prepare<[number]>(
    'SELECT seq, evaluation_id FROM session_marks WHERE session_id = ? ORDER BY seq',
  );
  const sessions = client
    .prepare<[], SessionRow>(
      'SELECT * FROM evaluation_sessions LEFT JOIN session_states ON session_id = evaluation_sessions.id',
    )
    .all();
  for (const session of sessions) {
    const kept = bySession.get(session.id) ?? [];
    const counts = (text: string, rows: { tool: string; call_count: number }[]) => [
      ...(JSON.parse(text) as [string, number][]),
      ...rows.map(({ tool, call_count }) => [tool, call_count]),
    ];
    const stored = {
      actionCount: session.action_count,
      warningCount: session.warning_count,
      blockCount: session.block_count,
      reviewCount: session.review_count,
      dataTags: JSON.parse(session.data_tags),
      tools: counts(session.tool_counts, furtherTools.all(session.id)),
      stopped: counts(session.stopped_counts, furtherStopped.all(session.id)),
      otherCount: session.other_count,
      lastEvaluationId: session.last_evaluation_id,
      lastActionId: session.other_count === 0 ? session.last_evaluation_id : session.last_action_id,
    };
    const computed = recompute(kept);
    if (JSON.stringify(stored) !== JSON.stringify(computed)) {
      say(`session ${session.uid} says ${JSON.stringify(stored)}, its rows ${JSON.stringify(computed)}`);
    }
    if (!['ACTIVE', 'COMPLETED', 'TERMINATED'].includes(session.status)) {
      say(`session ${session.uid} is ${session.status}`);
    }
    if ((session.status === 'ACTIVE') !== (session.ended_at === null)) {
      say(`session ${session.uid} is ${session.status} and ended at ${session.ended_at}`);
    }
    auditLinks(session, kept, marks.all(session.id), say);
  }
}

function recompute(rows: readonly EvaluationRow[]) {
  const actions = rows.filter(({ phase }) => phase === 'ACTION');
  const count = (action: string): number => actions.filter((row) => row.enforcement_action === action).length;
  const tags = new Set<string>();
  for (const { data_tags: found } of rows) {
    for (const tag of JSON.parse(found ?? '[]') as string[]) tags.add(tag);
  }
  const tools = new Map<string, number>();
  const stopped = new Map<string, number>();
  for (const { tool, enforcement_action: action } of actions) {
    const counts = action === 'ALLOW' || action === 'WARN' ? tools : stopped;
    if (tool !== '') counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return {
    actionCount: actions.length,
    warningCount: count('WARN'),
    blockCount: count('BLOCK'),
    reviewCount: count('APPROVAL_REQUIRED'),
    dataTags: [...tags],
    tools: [...tools],
    stopped: [...stopped],
    otherCount: rows.length - actions.length,
    lastEvaluationId: rows.at(-1)?.id ?? null,
    lastActionId: actions.at(-1)?.id ?? null,
  };
}

function auditLinks({ uid }: SessionRow, rows: readonly EvaluationRow[], marks: unknown[], say: Say): void {
  let previous: number | null = null;
  let previousAction: number | null = null;
  let seq = 0;
  for (const row of rows) {
    const expected = row.phase === 'ACTION' ? ++seq : null;
    if (row.seq !== expected)
      say(`session ${uid}: evaluation ${row.id} is number ${row.seq}, not ${expected}`);
    if (row.previous_id !== previous) say(`session ${uid}: evaluation ${row.id} follows ${row.previous_id}`);
    const link = previous === previousAction ? null : (previousAction ?? 0);
    if (row.previous_action_id !== link) {
      say(`session ${uid}: evaluation ${row.id} follows the action ${row.previous_action_id}, not ${link}`);
    }
    previous = row.id;
    if (row.phase === 'ACTION') previousAction = row.id;
  }
  const marked = rows.flatMap(({ id }, place) =>
    (place + 1) % 100 === 0 ? [{ seq: place + 1, evaluation_id: id }] : [],
  );
  if (JSON.stringify(marks) !== JSON.stringify(marked)) {
    say(`session ${uid} has the marks ${JSON.stringify(marks)}, not ${JSON.stringify(marked)}`);
  }
}

/** The counts by block are those of the sessions, and the expiries of the open ones are within their bounds. */
function auditBlocks(client: Database.Database, say: Say): void {
  const wrong = client
    .prepare<[], { integration_id: number; block: number }>(
      `SELECT * FROM (
         SELECT integration_id, id / 4096 AS block, sum(status = 'ACTIVE') AS open, sum(status = 'COMPLETED') AS completed,
           sum(status = 'TERMINATED') AS terminated, min(iif(status = 'ACTIVE', expires_at, NULL)) AS soonest,
           max(iif(status = 'ACTIVE', expires_at, NULL)) AS latest
         FROM evaluation_sessions GROUP BY 1, 2
       ) FULL JOIN session_blocks USING (integration_id, block)
       WHERE open IS NOT open_count OR completed IS NOT completed_count OR terminated IS NOT terminated_count
         OR soonest < soonest_expiry OR latest > latest_expiry`,
    )
    .all();
  for (const row of wrong) say(`counts are not those of the sessions: ${JSON.stringify(row)}`);
}

/** Every hold opened one review, every use used up one approval, and times agree with states. */
function auditReviews(client: Database.Database, say: Say): void {
  const found = (sql: string): unknown[] => client.prepare(sql).pluck().all();
  const laws: Record<string, string> = {
    'a review of no held evaluation': `SELECT r.uid FROM reviews r JOIN evaluations e ON e.id = r.evaluation_id
      WHERE e.enforcement_action <> 'APPROVAL_REQUIRED' OR e.review_uid IS NOT r.uid OR e.session_id IS NOT r.session_id`,
    'a held evaluation without a review': `SELECT e.uid FROM evaluations e
      WHERE e.enforcement_action = 'APPROVAL_REQUIRED' AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.uid = e.review_uid)`,
    'an approval used other than once': `SELECT r.uid FROM reviews r WHERE (r.status = 'CONSUMED') <>
      (SELECT count(*) FROM evaluations e WHERE e.review_uid = r.uid AND e.enforcement_action = 'ALLOW')`,
    'a review whose times deny its state': `SELECT uid FROM reviews WHERE (status IN ('PENDING', 'CANCELLED')) <> (decided_at IS NULL)
      OR (status = 'CONSUMED') <> (consumed_at IS NOT NULL) OR (decided_by IS NULL) <> (decided_at IS NULL)`,
  };
  for (const [law, sql] of Object.entries(laws)) {
    for (const uid of found(sql)) say(`${law}: ${uid}`);
  }
}
