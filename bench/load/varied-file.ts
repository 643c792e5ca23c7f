import Database from 'better-sqlite3';
import { newId } from '../../src/services/ids.ts';

export interface VariedSize {
  sessions: number;
  evaluations: number;
}

/** Things that are in the file, to search for. */
export interface VariedFile {
  tools: string[];
  rules: string[];
  entities: string[];
  integrations: string[];
  sessions: string[];
  correlations: string[];
  from: number;
  to: number;
}

const tagsOf = (n: number): string[] => {
  if (n % 100_000 === 7) return ['SECRET', 'API_KEY'];
  if (n % 50 === 3) return ['PII', 'EMAIL_ADDRESS'];
  return n % 400 === 11 ? ['FINANCIAL', 'IBAN'] : [];
};
const actionOf = (n: number): 'ALLOW' | 'WARN' | 'BLOCK' | 'APPROVAL_REQUIRED' => {
  const of = n % 100;
  if (of < 94) return 'ALLOW';
  if (of < 97) return 'WARN';
  return of < 99 ? 'BLOCK' : 'APPROVAL_REQUIRED';
};

/** The evaluations are as many in each hour of the last 30 days. */
const spanMs = 30 * 86_400_000;

/**
 * Fills the file of a new installation straight, as the service would have written it: sessions that are interleaved by the
 * thousand, 200 tools of which few are frequent, 6 % violations of 50 rules, tags from 2 % down to one in 100,000.
 */
export function fillVaried(file: string, { sessions, evaluations }: VariedSize): VariedFile {
  const client = new Database(file);
  client.pragma('synchronous = OFF');
  client.pragma('cache_size = -400000');
  const tools = Array.from({ length: 200 }, (_, n) => `tool.${n}`);
  const rules = Array.from({ length: 50 }, (_, n) => `rule-${n}`);
  const entities = Array.from({ length: Math.ceil(sessions / 10) }, newId);
  const integrationIds = Array.from({ length: 20 }, newId);
  const insertIntegration = client.prepare(
    `INSERT INTO integrations (id, name, kind, settings, webhook_secret, created_at, updated_at)
     VALUES (?, ?, 'AGENT', '{}', 'x', 1, 1) RETURNING row`,
  );
  const integrations = integrationIds.map((id, n) => insertIntegration.pluck().get(id, `n${n}`) as number);
  const set = client
    .prepare("INSERT INTO policy_sets (members, terms) VALUES ('', '[]') RETURNING id")
    .pluck()
    .get() as number;
  const insertSession = client.prepare(
    `INSERT INTO evaluation_sessions (uid, integration_id, status, entity_id, external_session_id, metadata, started_at, expires_at, ended_at)
     VALUES (?, ?, ?, ?, ?, '{}', ?, ?, ?)`,
  );
  const insertState = client.prepare(
    `INSERT INTO session_states (session_id, action_count, warning_count, block_count, review_count, rejection_count, data_tags, tool_counts, last_evaluation_id)
     VALUES (?, ?, 0, 0, 0, 0, '[]', '[]', ?)`,
  );
  const insertEvaluation = client.prepare(
    `INSERT INTO evaluations (uid, integration_id, session_id, seq, previous_id, transport, tool, correlation_id, outcome,
       enforcement_action, severity, violations, data_tags, policy_set_id, input, created_at, chain_seq, entry_hash)
     VALUES (?, ?, ?, ?, ?, 'REST', ?, ?, ?, ?, ?, ?, ?, ${set}, '{"tool":"x","query":"the status of the order of last week"}', ?, ?, '${'0'.repeat(64)}')`,
  );
  const insertViolation = client.prepare(
    `INSERT INTO violations (evaluation_id, place, uid, integration_id, session_id, policy_uid, rule_id, severity)
     VALUES (?, 0, ?, ?, ?, 'p', ?, 'HIGH')`,
  );
  const insertBlock = client.prepare('INSERT OR IGNORE INTO evaluation_blocks VALUES (?, ?, ?)');
  const each = Math.floor(evaluations / sessions);
  const together = 1_000;
  const start = Date.now() - spanMs;
  const timeOf = (row: number): number => Math.floor(start + (row / evaluations) * spanMs);
  const made: VariedFile = {
    tools,
    rules,
    entities,
    integrations: integrationIds,
    sessions: [],
    correlations: [],
    from: start,
    to: start + spanMs,
  };
  let row = 0;
  let block = -1;
  let seen = new Set<string>();
  const tell = (facet: number, value: string): void => {
    const key = `${facet}${value}`;
    if (seen.has(key)) return;
    seen.add(key);
    insertBlock.run(facet, value, block);
  };
  const group = client.transaction((first: number) => {
    const rows = Array.from({ length: together }, (_, place) => {
      const uid = newId();
      const at = timeOf(row);
      const ended = place % 10 > 0;
      const owner = integrations[(first + place) % 20] as number;
      const entity = entities[(first + place * 7) % entities.length] as string;
      made.sessions.push(uid);
      const { lastInsertRowid } = insertSession.run(
        uid,
        owner,
        ended ? 'COMPLETED' : 'ACTIVE',
        entity,
        uid,
        at,
        at + 86_400_000,
        ended ? at : null,
      );
      return { session: Number(lastInsertRowid), owner, previous: null as number | null };
    });
    for (let seq = 1; seq <= each; seq++) {
      for (const one of rows) {
        row += 1;
        if (Math.floor(row / 128) !== block) {
          block = Math.floor(row / 128);
          seen = new Set();
        }
        const tool = tools[Math.floor(200 * ((row * 0.618_033_988_749) % 1) ** 3)] as string;
        const action = actionOf(row * 7_919);
        const tags = tagsOf(row);
        const ruleId = rules[row % 50] as string;
        const violation = newId();
        const correlation = row % 10 === 0 ? `c-${row}` : null;
        if (correlation && row % 1_000 === 0) made.correlations.push(correlation);
        insertEvaluation.run(
          newId(),
          one.owner,
          one.session,
          seq,
          one.previous,
          tool,
          correlation,
          action === 'ALLOW' ? 'ALLOW' : action === 'WARN' ? 'FLAG' : 'DENY',
          action,
          action === 'ALLOW' ? null : 'HIGH',
          action === 'ALLOW'
            ? null
            : JSON.stringify([
                {
                  id: violation,
                  ruleId,
                  ruleName: ruleId,
                  policyId: 'p',
                  policyName: 'p',
                  policyVersion: 1,
                  mode: 'ENFORCE',
                  severity: 'HIGH',
                  enforcementAction: action,
                  reason: 'r',
                  message: 'm',
                },
              ]),
          tags.length ? JSON.stringify(tags) : null,
          timeOf(row),
          seq,
        );
        tell(0, String(one.owner));
        tell(1, tool);
        tell(2, action);
        for (const tag of tags) tell(3, tag);
        if (action !== 'ALLOW') {
          tell(4, ruleId);
          insertViolation.run(row, violation, one.owner, one.session, ruleId);
        }
        one.previous = row;
      }
    }
    for (const { session, previous } of rows) insertState.run(session, each, previous);
  });
  for (let first = 0; first < sessions; first += together) group(first);
  client
    .prepare(
      "UPDATE violations SET status = 'DISMISSED', outcome = 'FALSE_POSITIVE', triaged_by = 'x', triaged_at = 1 WHERE evaluation_id % 1000 = 0",
    )
    .run();
  const insertEntity = client.prepare(
    "INSERT INTO entities (id, name, kind, metadata, created_at, updated_at) VALUES (?, 'n', 'AGENT', '{}', 1, 1)",
  );
  client.transaction(() => {
    for (const id of entities) insertEntity.run(id);
  })();
  client.pragma('wal_checkpoint(TRUNCATE)');
  client.close();
  return made;
}
