import { didYouMean } from '../../cel/suggest.ts';
import { AppError } from '../../errors.ts';
import { minuteMs } from '../../schemas/durations.ts';
import {
  entryBytes,
  fitEntry,
  type Listed,
  type ResponsePage,
  responsePage,
} from '../../services/list-entries.ts';
import { found } from '../../services/refusals.ts';
import { isoTime, parseTime } from '../../services/times.ts';
import type { AuditedCall, AuditFilter, PageRequest, Store, StoredAuditEntry } from '../../store/store.ts';
import { managementEvent } from '../events/management-events.ts';
import type { AuditEntry, AuditOutcome } from './schema.ts';

/** A call that is being recorded. */
export interface Recording {
  /** Runs the rest of the request: the changes in it are recorded together with it. */
  during<T>(work: () => T): T;
  /** Must be called when the response is known. Resolves once the entry of a call that was not a mere read is durable. */
  end(statusCode: number, message: string | null): Promise<void>;
}

export interface Audit {
  /** `statusCode` is that of success. */
  begin(call: Omit<AuditedCall, 'at'>, statusCode: number): Recording;
  /** Records a call that is no management call, such as a sign-in, whatever its method. */
  record(call: Omit<AuditedCall, 'at'>, statusCode: number): Promise<void>;
  read(id: string): Promise<AuditEntry>;
  list(query: AuditQuery, page: PageRequest): Promise<ResponsePage<Listed<AuditEntry>>>;
  /** Every entry that matches, oldest first. */
  all(query: AuditQuery): AsyncGenerator<AuditEntry>;
}

export interface AuditQuery extends Omit<AuditFilter, 'from' | 'to'> {
  from?: string;
  to?: string;
}

/** Throws for a word that no entry can have: a filter by it would be silent. */
export function assertKnownWord(field: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  const hint = didYouMean(word, known) ?? `known here: ${[...known].sort().join(', ')}`;
  throw new AppError('invalid', `no entry has this ${field}; ${hint}`, { path: `/${field}` });
}

/** A read that is repeated within this time, in milliseconds, is not recorded again: some look every second. */
const readEveryMs = minuteMs;
/** Refused calls of one caller that are recorded in a minute: entries are permanent, and a caller must not fill the disk. */
const mostRefusals = { operator: 600, integration: 10 };
/** Callers and reads that are remembered at once. */
const mostRemembered = 10_000;
const exportedAtOnce = 200;

export function createAudit(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  onError: (error: unknown) => void;
}): Audit {
  const { store, now, newId, onError } = deps;
  const reads = new Map<string, number>();
  const refusals = new Map<string, { since: number; count: number }>();

  function isRepeated({ keyId, address, method, path }: AuditedCall): boolean {
    const read = JSON.stringify([keyId, address, method, path]);
    const last = reads.get(read);
    const at = now();
    if (last !== undefined && at - last < readEveryMs) return true;
    if (reads.size >= mostRemembered) reads.clear();
    reads.set(read, at);
    return false;
  }

  function isBeyondLimit({ actorKind, actorId }: AuditedCall): boolean {
    const at = now();
    let window = refusals.get(actorId);
    if (!window || at - window.since >= minuteMs) {
      window = { since: at, count: 0 };
      if (refusals.size >= mostRemembered) refusals.clear();
      refusals.set(actorId, window);
    }
    return ++window.count > mostRefusals[actorKind];
  }

  const filterOf = ({ from, to, ...filter }: AuditQuery): AuditFilter => ({
    ...filter,
    ...(from !== undefined && { from: parseTime(from, '/from') }),
    ...(to !== undefined && { to: parseTime(to, '/to') }),
  });

  return {
    begin(given, success) {
      const call: AuditedCall = { ...given, at: now() };
      let isRecorded = false;
      const recorded = () => {
        isRecorded = true;
      };
      return {
        during: (work) =>
          store.audit.during(
            call,
            { newId, statusCode: success, recorded, event: (change) => managementEvent(change, newId) },
            work,
          ),

        async end(statusCode, message) {
          if (isRecorded) return;
          const outcome = outcomeOf(statusCode);
          const isRead = call.method === 'GET' && outcome === 'SUCCEEDED';
          if (isRead ? isRepeated(call) : outcome === 'REFUSED' && isBeyondLimit(call)) return;
          // The caller already has its response, or is about to get it: only the log can tell of an entry that was not written.
          const recording = store.audit
            .record({ ...call, id: newId(), outcome, statusCode, message })
            .catch(onError);
          if (!isRead) await recording;
        },
      };
    },

    record: (call, statusCode) =>
      store.audit.record({
        ...call,
        at: now(),
        id: newId(),
        outcome: outcomeOf(statusCode),
        statusCode,
        message: null,
      }),

    read: async (id) => shown(found(await store.audit.find(id), 'audit entry', id)),

    async list(query, page) {
      const most = entryBytes(page.size);
      const listed = await store.audit.list(filterOf(query), page, most);
      return responsePage(listed, page, ({ omitted, ...entry }) =>
        fitEntry<AuditEntry>(shown(entry), { before: null, after: null }, most, omitted),
      );
    },

    async *all(query) {
      const filter = filterOf(query);
      let after: string | null = null;
      for (;;) {
        const entries: StoredAuditEntry[] = await store.audit.listAfter(filter, after, exportedAtOnce);
        for (const entry of entries) yield shown(entry);
        after = entries.at(-1)?.id ?? null;
        if (entries.length < exportedAtOnce) return;
      }
    },
  };
}

function outcomeOf(statusCode: number): AuditOutcome {
  if (statusCode < 400) return 'SUCCEEDED';
  return statusCode < 500 ? 'REFUSED' : 'FAILED';
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

const shown = ({ actorKind, actorId, actorName, keyId, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  at: isoTime(entry.at),
  actor: { kind: actorKind, id: actorId, name: actorName, keyId },
  before: parsed(entry.before),
  after: parsed(entry.after),
});
