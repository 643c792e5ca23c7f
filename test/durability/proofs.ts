import Database from 'better-sqlite3';
import { auditDatabase } from './audit.ts';
import { budget, type Caller, type Sent, type World } from './load.ts';

/** Sentences about what a restart lost, doubled or changed of what was answered before it; none when nothing was. */
export async function proveKept(
  caller: Caller,
  database: string,
  world: World,
  journal: readonly Sent[],
): Promise<string[]> {
  const wrong: string[] = [];
  const say = (sentence: string): void => void wrong.push(sentence);
  // Before anything is sent again: what was answered must be there by itself.
  const client = new Database(database, { readonly: true });
  try {
    for (const sent of journal) if (sent.response) proveAcknowledged(client, sent, say);
  } finally {
    client.close();
  }
  await Promise.all(
    journal.filter((sent) => sent.onceKey !== null).map((sent) => proveReplay(caller, sent, say)),
  );
  wrong.push(...auditDatabase(database), ...auditBudget(database, world));
  return wrong;
}

type Say = (sentence: string) => void;

/** What the rows say of an answered change. */
export function proveAcknowledged(client: Database.Database, sent: Sent, say: Say): void {
  const { kind, path, response } = sent;
  const { status, text } = response ?? { status: 0, text: '' };
  // The session had ended, or the review was decided: refused, with nothing to keep.
  if (status === 409 && kind !== 'create') return;
  if (status !== (kind === 'create' ? 201 : 200)) {
    say(`${kind} ${path} was answered ${status}: ${text}`);
    return;
  }
  const { data } = JSON.parse(text);
  const [sql, id, keeps] = keptAs[kind](data);
  const rows = client.prepare<[string], { kept: string }>(sql).all(id);
  if (rows.length !== 1) say(`${kind} ${id} was answered, and is there ${rows.length} times`);
  else if (!keeps.includes(rows[0]?.kept ?? ''))
    say(`${kind} ${id} was answered ${keeps}, and is ${rows[0]?.kept}`);
}

/** For each kind: a query for its row, the row's id, and what it may say. */
const keptAs: Record<Sent['kind'], (data: Record<string, string>) => [string, string, string[]]> = {
  evaluate: (data) => [
    `SELECT e.enforcement_action || ' ' || s.uid AS kept FROM evaluations e
     JOIN evaluation_sessions s ON s.id = e.session_id WHERE e.uid = ?`,
    data.evaluationRunId ?? '',
    [`${data.enforcementAction} ${data.sessionId}`],
  ],
  create: ({ id = '', externalSessionId = '' }) => [
    'SELECT external_session_id AS kept FROM evaluation_sessions WHERE uid = ?',
    id,
    [externalSessionId],
  ],
  end: ({ id = '', status = '' }) => [
    'SELECT status AS kept FROM evaluation_sessions WHERE uid = ?',
    id,
    [status],
  ],
  decide: ({ id = '', status = '' }) => [
    'SELECT status AS kept FROM reviews WHERE uid = ?',
    id,
    status === 'APPROVED' ? ['APPROVED', 'CONSUMED'] : [status],
  ],
};

/** What was answered before, from an answer that was kept: it says so of itself. */
const earlier = (text: string): string => text.replace(/,"replayed":true(?=\}*$)/, '');

/** A permission is not given again once its session has ended. */
const noLongerStands = ({ response }: Sent, again: { status: number; text: string }): boolean =>
  again.status === 409 && /"enforcementAction":"(?:ALLOW|WARN)"/.test(response?.text ?? '');

/** Sent again under its key: what was answered is answered again to the byte, and what was not is done once. */
export async function proveReplay(caller: Caller, sent: Sent, say: Say): Promise<void> {
  const name = `${sent.kind} under ${sent.onceKey}`;
  const again = await caller.send(sent);
  if (sent.response && sent.response.status < 300) {
    if (noLongerStands(sent, again)) return;
    if (
      !again.replayed ||
      again.status !== sent.response.status ||
      earlier(again.text) !== sent.response.text
    ) {
      say(`${name} was answered ${sent.response.text}, and then ${again.status} ${again.text}`);
    }
    return;
  }
  if (again.status === 409) return;
  if (again.status >= 300) {
    say(`${name} is answered ${again.status} ${again.text}`);
    return;
  }
  const third = await caller.send(sent);
  if (
    !noLongerStands({ ...sent, response: again }, third) &&
    (!third.replayed || earlier(third.text) !== earlier(again.text))
  )
    say(`${name} is done again: ${again.text}, ${third.text}`);
}

/** No session has more allowed calls of the limited tool than its budget, and none is blocked before. */
export function auditBudget(database: string, world: World): string[] {
  const client = new Database(database, { readonly: true });
  try {
    return client
      .prepare<[{ budget: number }], { uid: string; allowed: number; blocked: number }>(
        `SELECT * FROM (
           SELECT s.uid, sum(e.enforcement_action <> 'BLOCK') AS allowed, sum(e.enforcement_action = 'BLOCK') AS blocked
           FROM evaluations e JOIN evaluation_sessions s ON s.id = e.session_id WHERE e.tool = 'limited' GROUP BY s.id
         ) WHERE allowed > @budget OR (blocked > 0 AND allowed < @budget)`,
      )
      .all({ budget })
      .map(({ uid, allowed, blocked }) => {
        const name = uid === world.hot ? 'the hot session' : `session ${uid}`;
        return `${name} let ${allowed} of ${budget} through and blocked ${blocked}`;
      });
  } finally {
    client.close();
  }
}
