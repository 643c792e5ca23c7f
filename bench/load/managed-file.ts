import Database from 'better-sqlite3';
import { plainTerms } from '../../src/schemas/review-terms.ts';
import { newId } from '../../src/services/ids.ts';
import { isShort } from '../measure.ts';

/** Things of the management API that are in the file. */
export interface ManagedFile {
  reviews: string[];
  operators: string[];
  policies: string[];
  lists: string[];
  webhooks: string[];
}

const size = {
  operators: 500,
  keysOfOperator: 4,
  policies: 500,
  versions: 20,
  lists: 200,
  listChanges: 50,
  proposals: isShort ? 200 : 20_000,
  webhooks: 100,
  mcpServers: 200,
  events: isShort ? 2_000 : 200_000,
  audit: isShort ? 60_000 : 1_000_000,
};

/**
 * Adds what operators leave behind over years: reviews of all held evaluations, most of them decided, a million audit entries,
 * policies with versions, lists with changes, proposals, and webhooks with deliveries of 200,000 events.
 */
export function fillManaged(file: string): ManagedFile {
  const client = new Database(file);
  client.pragma('synchronous = OFF');
  client.pragma('cache_size = -400000');
  const insert = (table: string, row: Record<string, string | number | null>): number => {
    const names = Object.keys(row);
    const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    return Number(prepared(text).run(...Object.values(row)).lastInsertRowid);
  };
  const statements = new Map<string, Database.Statement>();
  const prepared = (text: string): Database.Statement => {
    const known = statements.get(text) ?? client.prepare(text);
    statements.set(text, known);
    return known;
  };
  const many = <T>(length: number, make: (place: number) => T): T[] =>
    Array.from({ length }, (_, place) => make(place));
  const made: ManagedFile = { reviews: [], operators: [], policies: [], lists: [], webhooks: [] };
  const at = Date.now() - 30 * 86_400_000;

  function addOperators(): void {
    made.operators = many(size.operators, (place) => {
      const id = newId();
      insert('operators', {
        id,
        name: `operator ${place}`,
        status: 'ACTIVE',
        roles: '["REVIEWER"]',
        groups: '[]',
        created_at: at,
        updated_at: at,
      });
      for (let key = 0; key < size.keysOfOperator; key++)
        insert('operator_keys', {
          id: newId(),
          operator_id: id,
          key_hash: newId(),
          name: 'key',
          ip_ranges: '[]',
          created_at: at,
        });
      return id;
    });
  }

  function addPolicies(integrations: readonly string[]): void {
    made.policies = many(size.policies, (place) => {
      const policy = newId();
      insert('policies', {
        id: policy,
        name: `policy-${place}`,
        status: place % 2 === 0 ? 'ACTIVE' : 'DRAFT',
        current_version: size.versions,
        latest_version: size.versions,
        created_at: at,
        updated_at: at,
      });
      const document = `schemaVersion: 1\nname: policy-${place}\nmode: MONITOR\nrules:\n  - { id: r, when: "false", effect: WARN }\n`;
      for (let version = 1; version <= size.versions; version++)
        insert('policy_versions', {
          policy_id: policy,
          version,
          name: `policy-${place}`,
          media_type: 'application/yaml',
          document,
          created_at: at,
        });
      const integration = integrations[place % integrations.length] as string;
      insert('bindings', { integration_id: integration, policy_id: policy, created_at: at });
      if (place < 50) insert('house_policies', { policy_id: policy, created_at: at });
      return policy;
    });
  }

  function addLists(): void {
    made.lists = many(size.lists, (place) => {
      const id = newId();
      const entries = JSON.stringify(many(1_000, (entry) => `host-${entry}.example.com`));
      const version = size.listChanges;
      insert('lists', {
        id,
        name: `list${place}`,
        kind: 'DOMAINS',
        version,
        entries,
        entry_count: 1_000,
        created_at: at,
        updated_at: at,
      });
      for (let change = 1; change <= version; change++)
        insert('list_changes', {
          list_id: id,
          version: change,
          added: '["a.example.com"]',
          removed: '[]',
          created_at: at,
        });
      return id;
    });
  }

  function addProposals(): void {
    for (let place = 0; place < size.proposals; place++)
      insert('proposals', {
        id: newId(),
        operation: 'changeList',
        change: '{"add":["a.example.com"]}',
        status: place % 100 === 0 ? 'PENDING' : 'ACTIVATED',
        author: made.operators[place % 10] as string,
        created_at: at + place,
      });
  }

  function addReviews(): void {
    const held = client
      .prepare<
        [],
        { id: number; integration_id: number; session_id: number; tool: string; created_at: number }
      >(
        `SELECT e.id, e.integration_id, e.session_id, e.tool, e.created_at
         FROM violations v JOIN evaluations e ON e.id = v.evaluation_id
         WHERE e.enforcement_action = 'APPROVAL_REQUIRED' ORDER BY e.id`,
      )
      .all();
    for (const [place, { id, integration_id, session_id, tool, created_at }] of held.entries()) {
      const uid = newId();
      const pending = place % 1_000 === 0;
      const operator = made.operators[place % made.operators.length] as string;
      const review = insert('reviews', {
        uid,
        integration_id,
        session_id,
        evaluation_id: id,
        tool,
        input_hash: uid,
        rejection_hash: uid,
        ends_with_session: session_id ? 1 : 0,
        policy_set_id: 1,
        status: pending ? 'PENDING' : place % 3 === 0 ? 'REJECTED' : 'APPROVED',
        created_at,
        // Years ahead: what is open stays open however long the file is kept.
        expires_at: created_at + (pending ? 1e12 : 900_000),
        expiry_seconds: 900,
        terms: JSON.stringify(plainTerms),
        shown_tool: tool,
        decided_at: pending ? null : created_at + 60_000,
        decided_by: pending ? null : operator,
      });
      insert('review_handling', { review_id: review, assignee: place % 2 === 0 ? operator : null });
      if (place % 1_000 > 0) continue;
      made.reviews.push(uid);
      for (let comment = 0; comment < 20; comment++)
        insert('review_comments', {
          uid: newId(),
          review_id: review,
          author: operator,
          text: 'please look at this one',
          created_at,
        });
    }
  }

  function addWebhooks(): void {
    const rows = many(size.webhooks, (place) => {
      const id = newId();
      made.webhooks.push(id);
      return insert('webhooks', {
        id,
        name: `webhook ${place}`,
        format: 'EVENTS',
        status: 'DISABLED',
        destination: '{"url":"https://receiver.example.com/","to":[]}',
        types: '["*"]',
        integration_ids: '[]',
        after_event: 0,
        created_at: at,
        updated_at: at,
      });
    });
    many(size.mcpServers, (place) =>
      insert('mcp_servers', {
        id: newId(),
        name: `server-${place}`,
        url: 'https://mcp.example.com/',
        headers: null,
        integration_ids: '[]',
        forwards_authorization: 0,
        tool_list: 'HIDE',
        hold_seconds: 0,
        masks: 0,
        timeout_seconds: 300,
        created_at: at,
        updated_at: at,
      }),
    );
    for (let place = 0; place < size.events; place++) {
      const type = place % 2 === 0 ? 'evaluation.blocked' : 'review.opened';
      const data = '{"tool":"crm.lookup","severity":"HIGH"}';
      const event = { uid: newId(), type, at: at + place, subject: 'evaluations/x', data };
      const sequence = insert('events', { ...event, total_bytes: 300 * (place + 1) });
      const dead = place % 100 === 0;
      for (const webhook of rows.slice(0, 2))
        insert('webhook_deliveries', {
          uid: newId(),
          webhook_id: webhook,
          event_id: sequence,
          status: dead ? 'DEAD' : 'DELIVERED',
          attempt_count: 1,
          created_at: at + place,
        });
    }
  }

  function addAudit(): void {
    for (let place = 0; place < size.audit; place++) {
      const operator = made.operators[place % 10] as string;
      insert('audit_entries', {
        uid: newId(),
        at: at + place,
        actor_kind: 'operator',
        actor_id: operator,
        actor_name: 'operator',
        action: place % 3 === 0 ? 'approveReview' : 'changeList',
        resource: place % 3 === 0 ? 'reviews' : 'lists',
        resource_id: (place % 3 === 0 ? made.reviews : made.lists)[place % 50] ?? null,
        // Most calls only read.
        method: place % 200 === 0 ? 'POST' : 'GET',
        path: '/v1/x',
        request_id: 'r',
        outcome: place % 20 === 0 ? 'REFUSED' : 'SUCCEEDED',
        status_code: 200,
        before: '{"status":"PENDING"}',
        after: '{"status":"APPROVED"}',
        chain_seq: place + 1,
        entry_hash: '0'.repeat(64),
      });
    }
  }

  const integrations = client.prepare<[], string>('SELECT id FROM integrations ORDER BY row').pluck().all();
  client.transaction(addOperators)();
  client.transaction(() => addPolicies(integrations))();
  client.transaction(addLists)();
  client.transaction(addProposals)();
  client.transaction(addReviews)();
  client.transaction(addWebhooks)();
  client.transaction(addAudit)();
  insert('record_heads', { chain: 'management', seq: size.audit, hash: '0'.repeat(64) });
  client.pragma('wal_checkpoint(TRUNCATE)');
  client.close();
  return made;
}
