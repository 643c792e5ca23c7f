import { budget, createCaller, type Sent } from '../durability/load.ts';
import { proveReplay } from '../durability/proofs.ts';
import { proveRecord } from '../durability/record.ts';
import type { Cluster } from './cluster.ts';
import { sharedBudget } from './load.ts';

type Say = (sentence: string) => void;

/** What was lost: each was answered, and is not there as it was answered. */
export async function findLost(
  { query }: Pick<Cluster, 'query'>,
  journal: readonly Sent[],
): Promise<string[]> {
  const lost: string[] = [];
  const read = async (text: string) =>
    new Map((await query<{ id: string; kept: string }>(text)).map(({ id, kept }) => [id, kept]));
  const kept = {
    evaluate: await read(`SELECT id, concat(enforcement_action, ' ', session_id) AS kept FROM evaluations`),
    create: await read('SELECT id, external_session_id AS kept FROM evaluation_sessions'),
    end: await read('SELECT id, status AS kept FROM evaluation_sessions'),
    decide: await read('SELECT id, status AS kept FROM reviews'),
  };
  for (const { kind, path, response } of journal) {
    // The session had ended, or the review was decided: refused, with nothing to keep.
    if (!response || (response.status === 409 && kind !== 'create')) continue;
    if (response.status !== (kind === 'create' ? 201 : 200)) {
      lost.push(`${kind} ${path} got ${response.status}: ${response.text}`);
      continue;
    }
    const { data } = JSON.parse(response.text);
    const [id, ...allowed] = claimOf(kind, data);
    const found = kept[kind].get(id);
    if (found === undefined || !allowed.includes(found))
      lost.push(`${kind} ${id} was ${allowed}, and is ${found}`);
  }
  return lost;
}

/** The id of what was done, and what its row may say. */
function claimOf(kind: Sent['kind'], data: Record<string, string>): [string, ...string[]] {
  const { id = '', status = '' } = data;
  switch (kind) {
    case 'evaluate':
      return [data.evaluationRunId ?? '', `${data.enforcementAction} ${data.sessionId}`];
    case 'create':
      return [id, data.externalSessionId ?? ''];
    case 'end':
      return [id, status];
    case 'decide':
      return status === 'APPROVED' ? [id, 'APPROVED', 'CONSUMED'] : [id, status];
  }
}

/** What is doubled, or counted wrongly. */
export async function findWrong(cluster: Cluster, journal: readonly Sent[]): Promise<string[]> {
  const wrong: string[] = [];
  const say: Say = (sentence) => void wrong.push(sentence);
  for (const [law, text] of Object.entries(laws))
    for (const row of await cluster.query(text)) say(`${law}: ${JSON.stringify(row)}`);
  // Not through the load balancer, which cuts off what a busy replica does when it fails its health check.
  const url = cluster.replicas[0]?.service.url ?? '';
  const caller = createCaller(url, 24);
  const repeatable = journal.filter(({ onceKey }) => onceKey !== null);
  await Promise.all(repeatable.map((sent) => proveReplay(caller, sent, say)));
  await caller.close();
  wrong.push(...(await proveRecord(url)));
  return wrong;
}

const laws: Record<string, string> = {
  'recorded more than once': `SELECT correlation_id FROM evaluations WHERE correlation_id IS NOT NULL
    GROUP BY correlation_id HAVING count(*) > 1`,
  'counts of a session that are not those of its evaluations': `SELECT s.session_id, s.action_count, s.block_count, e.*
    FROM session_states s LEFT JOIN (
      SELECT session_id, count(*)::int AS actions, (sum((enforcement_action = 'BLOCK')::int))::int AS blocks
      FROM evaluations GROUP BY session_id
    ) e USING (session_id)
    WHERE s.action_count <> coalesce(actions, 0) OR s.block_count <> coalesce(blocks, 0)`,
  'a budget of a session that was not exact': budgetLaw('session_id', 'limited', budget),
  'a budget of the integration that was not exact': budgetLaw('integration_id', 'shared', sharedBudget),
  'an approval used other than once': `SELECT r.id FROM reviews r WHERE (r.status = 'CONSUMED') <>
    (SELECT count(*) = 1 FROM evaluations e WHERE e.review_uid = r.id AND e.enforcement_action = 'ALLOW')`,
  'a held evaluation without a review': `SELECT e.id FROM evaluations e
    WHERE e.enforcement_action = 'APPROVAL_REQUIRED' AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.id = e.review_uid)`,
};

function budgetLaw(scope: string, tool: string, most: number): string {
  return `SELECT * FROM (
      SELECT ${scope}, sum((enforcement_action <> 'BLOCK')::int) AS allowed, sum((enforcement_action = 'BLOCK')::int) AS blocked
      FROM evaluations WHERE tool = '${tool}' GROUP BY ${scope}
    ) AS used WHERE allowed > ${most} OR (blocked > 0 AND allowed < ${most})`;
}
