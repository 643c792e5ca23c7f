import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import type { CountedPlace } from '../../../evaluate/counters/counters.ts';
import { parsePlace } from '../../../evaluate/session-places.ts';
import { parseSettings } from '../../../features/integrations/store.ts';
import { entriesOfChanges } from '../../../features/lists/store.ts';
import type { CountedRecord } from '../../../schemas/counter-cells.ts';
import type { GrantOffer } from '../../../schemas/review-terms.ts';
import { openThread } from '../../../threads.ts';
import {
  type RangeReads,
  type ReplayIntegration,
  type ReplayRow,
  type ReplaySessionChange,
  type ReplaySource,
  replayRange,
  type SessionFields,
} from '../../replay.ts';
import { parseList } from '../../rows.ts';
import { slackMs } from '../evaluations/evaluation-search.ts';
import type { Query, QueryResponse, QueryThreadData } from './query-thread.ts';

type CountedColumns = Omit<CountedRecord, 'session'> & {
  sessionId: string | null;
  entityId: string | null;
  metadata: string;
  startedAt: number;
};

/** As `counter-records.ts`, for a thread that waits. */
const createCounted =
  (client: Pick<BlockingClient, 'all'>): ReplaySource['counted'] =>
  (place, after, before) => {
    const [where, ...values] = conditionOf(place);
    return client
      .all<CountedColumns>(
        `SELECT e.id, e.result_of AS "resultOf", e.phase, e.tool, e.result_status AS "resultStatus", e.cost, e.created_at AS at,
           e.enforcement_action AS "enforcementAction", e.enforced_severity AS severity, e.violations, e.data_tags AS "dataTags",
           e.detections, e.input, e.target_key AS "targetKey", s.id AS "sessionId", s.entity_id AS "entityId", s.metadata,
           s.started_at AS "startedAt"
         FROM evaluations e LEFT JOIN evaluation_sessions s ON s.id = e.session_id
         WHERE e.position > $1 AND e.position < $2 AND ${where} ORDER BY e.position`,
        [after, before, ...values],
      )
      .map(({ sessionId, entityId, metadata, startedAt, ...record }) => ({
        ...record,
        session: sessionId === null ? null : { id: sessionId, entityId, metadata, startedAt },
      }));
  };

function conditionOf(place: CountedPlace): [where: string, ...values: string[]] {
  const { scope, integrationId } = place;
  switch (scope) {
    case 'session':
      return ['e.integration_id = $3 AND e.session_id = $4', integrationId, place.sessionId];
    case 'tree':
      // Sessions of every integration.
      return ['(s.id = $3 OR s.root_uid = $3)', place.rootId];
    case 'entity':
      if (place.entityId === null) return ['e.integration_id = $3 AND s.entity_id IS NULL', integrationId];
      return ['e.integration_id = $3 AND s.entity_id = $4', integrationId, place.entityId];
    case 'integration':
      return ['e.integration_id = $3', integrationId];
  }
}

/** Numbers that stand for ids, in the order in which they were asked for. */
class RowNumbers {
  readonly #kind: string;
  readonly #ids: string[] = [];
  readonly #rows = new Map<string, number>();

  constructor(kind: string) {
    this.#kind = kind;
  }
  of(id: string): number {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#ids.push(id);
      this.#rows.set(id, row);
    }
    return row;
  }
  idOf(row: number): string {
    const id = this.#ids[row - 1];
    if (id === undefined) throw new Error(`no ${this.#kind} has the number ${row}`);
    return id;
  }
}

function createReplayRange(
  client: Pick<BlockingClient, 'all'>,
  integrations: RowNumbers,
  sessions: RowNumbers,
): ReplaySource['range'] {
  const one = <Row>(text: string, ...values: unknown[]): Row | undefined => client.all<Row>(text, values)[0];
  const reads: RangeReads = {
    slackMs,
    lastRow: () =>
      one<{ last: number }>('SELECT coalesce(max(position), 0) AS last FROM evaluations')?.last ?? 0,
    rowFrom: (row) =>
      one<{ row: number; at: number }>(
        'SELECT position AS row, created_at AS at FROM evaluations WHERE position >= $1 ORDER BY position LIMIT 1',
        row,
      ),
    integrationRow(id) {
      const found = one<{ id: string }>('SELECT id FROM integrations WHERE id = $1', id);
      return found && integrations.of(found.id);
    },
    rootOf: (id) =>
      one<{ root: string }>(
        'SELECT coalesce(root_uid, id) AS root FROM evaluation_sessions WHERE id = $1',
        id,
      )?.root,
    treeOf: (root) =>
      client
        .all<{ id: string; startedAt: number; last: number }>(
          `SELECT s.id, s.started_at AS "startedAt",
             coalesce((SELECT max(position) FROM evaluations e WHERE e.session_id = s.id), 0) AS last
           FROM evaluation_sessions s WHERE s.id = $1 OR s.root_uid = $1`,
          [root],
        )
        .map(({ id, ...session }) => ({ ...session, row: sessions.of(id) })),
    hasDelegates: () =>
      one(
        `SELECT 1 FROM evaluation_sessions WHERE parent_uid IS NOT NULL AND place::json ->> 'delegatedBy' <> '[]' LIMIT 1`,
      ) !== undefined,
    firstStart: (row) =>
      one<{ at: number | null }>(
        `SELECT min(coalesce(r.started_at, s.started_at)) AS at
         FROM evaluation_sessions s LEFT JOIN evaluation_sessions r ON r.id = s.root_uid
         WHERE s.id IN (SELECT session_id FROM evaluations WHERE position >= $1)`,
        row,
      )?.at ?? null,
  };
  return (filter, isWide) => replayRange(reads, filter, isWide);
}

const columns = `SELECT position AS row, id, integration_id, session_id, phase, result_of AS "resultOf", result_status AS "resultStatus", cost,
    identity, transport, tool, target_key AS "targetKey", outcome, enforcement_action AS "enforcementAction", severity,
    enforced_severity AS "enforcedSeverity", violations, data_tags AS "dataTags", detections, labels, repeats, policy_set_id, input,
    target_metadata AS "targetMetadata", review_uid AS "reviewId", named_review AS named, created_at AS "createdAt"
  FROM evaluations`;
const rowsOf = `${columns} WHERE position > $1 AND position <= $2 AND ($3::uuid[] IS NULL OR integration_id = ANY($3))
    AND ($4::uuid[] IS NULL OR session_id = ANY($4)) ORDER BY position`;

type Columns = Omit<ReplayRow, 'integrationRow' | 'sessionRow' | 'policySetRow'> & {
  integration_id: string;
  session_id: string | null;
  policy_set_id: string;
};
interface SessionColumns extends SessionFields {
  hasChildren: boolean;
}

/** On a connection that cannot write. Rows of evaluations are positions; those of anything else are numbers of this source alone. */
export function openPostgresReplaySource(address: string): ReplaySource {
  const client = openBlockingClient(address);
  const integrations = new RowNumbers('integration');
  const sessions = new RowNumbers('session');
  const policySets = new RowNumbers('policy set');
  const one = <Row>(text: string, ...values: unknown[]): Row | undefined => client.all<Row>(text, values)[0];

  const toRow = ({ integration_id, session_id, policy_set_id, ...row }: Columns): ReplayRow => ({
    ...row,
    integrationRow: integrations.of(integration_id),
    sessionRow: session_id === null ? null : sessions.of(session_id),
    policySetRow: policySets.of(policy_set_id),
  });

  return {
    range: createReplayRange(client, integrations, sessions),

    rows: (range, after, upTo) =>
      client
        .all<Columns>(rowsOf, [
          after,
          upTo,
          range.integrationRows?.map((row) => integrations.idOf(row)) ?? null,
          range.sessionRows?.map((row) => sessions.idOf(row)) ?? null,
        ])
        .map(toRow),
    rowsAt: (rows) =>
      client.all<Columns>(`${columns} WHERE position = ANY($1) ORDER BY position`, [[...rows]]).map(toRow),

    changes: (after, upTo) =>
      client
        .all<Omit<ReplaySessionChange, 'sessionRow'> & { session_id: string }>(
          `SELECT c.session_id, c.kind, c.label, c.review_id::text AS "reviewId", c.position AS "afterRow",
             coalesce(r.decided_at, s.ended_at, 0) AS at
           FROM session_changes c JOIN evaluation_sessions s ON s.id = c.session_id LEFT JOIN reviews r ON r.id = c.review_id
           WHERE c.position >= $1 AND c.position < $2 ORDER BY c.position`,
          [after, upTo],
        )
        .map(({ session_id, ...change }) => ({ ...change, sessionRow: sessions.of(session_id) })),

    session(row) {
      const found = one<SessionColumns>(
        `SELECT id, integration_id AS "integrationId", entity_id AS "entityId", external_session_id AS "externalSessionId", metadata,
           started_at AS "startedAt", expires_at AS "expiresAt", parent_uid AS "parentId", place, has_children AS "hasChildren",
           coalesce((SELECT max(position) FROM evaluations e WHERE e.session_id = s.id), 0) AS "lastRow"
         FROM evaluation_sessions s WHERE id = $1`,
        sessions.idOf(row),
      );
      if (!found) throw new Error(`the session ${sessions.idOf(row)} is missing`);
      const { parentId, place, hasChildren, lastRow, ...opened } = found;
      const integrationRow = integrations.of(opened.integrationId);
      return {
        row,
        integrationRow,
        opened: { ...opened, place: parsePlace(parentId, place) },
        lastRow,
        hasChildren,
      };
    },
    sessionRow: (id) => sessions.of(id),

    integration(row) {
      const found = one<Omit<ReplayIntegration, 'settings'> & { settings: string }>(
        `SELECT i.id, i.name, i.kind, i.settings, c.tools, coalesce(c.updated_at, 0) AS "toolsChangedAt"
         FROM integrations i LEFT JOIN tool_catalogues c ON c.integration_id = i.id WHERE i.id = $1`,
        integrations.idOf(row),
      );
      if (!found) throw new Error(`the integration ${integrations.idOf(row)} is missing`);
      return { ...found, settings: parseSettings(found.settings) };
    },

    policySet(row) {
      const found = one<{ terms: string }>(
        'SELECT terms FROM policy_sets WHERE id = $1',
        policySets.idOf(row),
      );
      if (!found) throw new Error(`the policies ${policySets.idOf(row)} are missing`);
      return JSON.parse(found.terms);
    },
    policySetRows: () =>
      client.all<{ id: string }>('SELECT id FROM policy_sets').map(({ id }) => policySets.of(id)),
    document: (policyId, version) =>
      one<{ document: string }>(
        'SELECT document FROM policy_versions WHERE policy_id = $1 AND version = $2',
        policyId,
        version,
      )?.document ?? null,
    listEntries: (id, version) =>
      entriesOfChanges(
        client.all(
          'SELECT version, added, removed FROM list_changes WHERE list_id = $1 AND version <= $2 ORDER BY version',
          [id, version],
        ),
        version,
      ),

    grantsUsed: (row) =>
      client
        .all<{ id: string; reviewRequestId: string; tool: string; offer: string; dataTags: string }>(
          `SELECT g.id, r.id AS "reviewRequestId", r.tool, g.offer, g.data_tags AS "dataTags"
           FROM evaluations e JOIN grant_uses u ON u.evaluation_id = e.id JOIN grants g ON g.id = u.grant_id
             JOIN reviews r ON r.id = g.review_id
           WHERE e.position = $1 ORDER BY g.created_at, g.review_id, g.place`,
          [row],
        )
        .map(({ offer, dataTags, ...grant }) => {
          const { key, policyId, ruleId, severity } = JSON.parse(offer) as GrantOffer;
          const open = { usesLeft: null, expiresAt: null };
          return {
            ...grant,
            ...open,
            key,
            policyId,
            ruleId,
            severity,
            dataTags: parseList<string>(dataTags),
          };
        }),
    triaged: (after, upTo) =>
      client.all(
        `SELECT e.position AS row, v.place, v.status FROM evaluations e JOIN violations v ON v.evaluation_id = e.id
         WHERE e.position > $1 AND e.position <= $2 AND v.status <> 'NEW'`,
        [after, upTo],
      ),
    counted: createCounted(client),
    close: () => client.close(),
  };
}

/** Asks PostgreSQL and waits for the response, with the event loop: for threads that have nothing else to do. It cannot write. */
export interface BlockingClient {
  all<Row>(text: string, values?: readonly unknown[]): Row[];
  close(): void;
}

const longestMs = 70_000;

function openBlockingClient(address: string): BlockingClient {
  const { port1, port2 } = new MessageChannel();
  const responded = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: QueryThreadData = { address, port: port2, responded };
  const thread = openThread('query-thread', import.meta.url, { workerData, transferList: [port2] });
  thread.unref();

  return {
    all<Row>(text: string, values: readonly unknown[] = []): Row[] {
      Atomics.store(responded, 0, 0);
      port1.postMessage({ text, values } satisfies Query);
      Atomics.wait(responded, 0, 0, longestMs);
      const response = receiveMessageOnPort(port1)?.message as QueryResponse | undefined;
      if (!response) throw new AppError('unavailable', 'the database did not answer in time');
      if ('error' in response)
        throw new AppError('unavailable', 'the store is not available', { cause: new Error(response.error) });
      return response.rows as Row[];
    },
    close() {
      port1.postMessage('close');
      port1.close();
    },
  };
}
