import { AppError } from '../../errors.ts';
import { type OperatorCaller, personOf } from '../../services/access/authentication.ts';
import type { ResponsePage } from '../../services/list-entries.ts';
import { found, notFound } from '../../services/refusals.ts';
import { isoTime, isoTimeOrNull, parseTime } from '../../services/times.ts';
import type { PageRequest, Store, StoredViolation, Triage, ViolationFilter } from '../../store/store.ts';
import type {
  AcknowledgeViolation,
  DismissalReason,
  DismissViolation,
  RecordedViolation,
  ResolutionType,
  ResolveViolation,
  RuleViolations,
  ViolationStatus,
} from './schema.ts';

/** Violations as operators handle them: NEW, ACKNOWLEDGED, then RESOLVED or DISMISSED. */
export interface Violations {
  read(id: string): Promise<RecordedViolation>;
  list(query: ViolationQuery, page: PageRequest): Promise<ResponsePage<RecordedViolation>>;
  acknowledge(caller: OperatorCaller, id: string, request: AcknowledgeViolation): Promise<RecordedViolation>;
  resolve(caller: OperatorCaller, id: string, request: ResolveViolation): Promise<RecordedViolation>;
  dismiss(caller: OperatorCaller, id: string, request: DismissViolation): Promise<RecordedViolation>;
  /** How often each rule was right, by what operators made of its violations; the most false positives first. */
  byRule(query: Pick<ViolationQuery, 'from' | 'to'>): Promise<RuleViolations[]>;
}

export interface ViolationQuery extends Omit<ViolationFilter, 'from' | 'to'> {
  from?: string;
  to?: string;
}

/** Beyond it a list says only that there are more. */
const mostCounted = 1_000;

export function createViolations(deps: { store: Store; now: () => number }): Violations {
  const { store, now } = deps;

  const timesOf = ({ from, to }: Pick<ViolationQuery, 'from' | 'to'>) => ({
    ...(from !== undefined && { from: parseTime(from, '/from') }),
    ...(to !== undefined && { to: parseTime(to, '/to') }),
  });

  async function triage(
    { operator }: OperatorCaller,
    id: string,
    from: readonly ViolationStatus[],
    change: Pick<Triage, 'status' | 'outcome' | 'note'>,
  ): Promise<RecordedViolation> {
    const result = await store.violations.triage(id, from, { ...change, by: operator.id, at: now() });
    if (!result) throw notFound('violation', id);
    if (result.changed) return shown(result.violation);
    const { status, triagedBy } = shown(result.violation);
    throw new AppError(
      'conflict',
      `the violation is already ${status}${triagedBy ? ` by ${triagedBy.name}` : ''}`,
    );
  }

  return {
    read: async (id) => shown(found(await store.violations.find(id), 'violation', id)),

    async list(query, page) {
      const { from: _, to: __, ...filter } = query;
      const { items, total } = await store.violations.list(
        { ...filter, ...timesOf(query) },
        page,
        mostCounted,
      );
      return { data: items.map(shown), pagination: { total, ...page } };
    },

    acknowledge: (caller, id, { note }) =>
      triage(caller, id, ['NEW'], { status: 'ACKNOWLEDGED', outcome: null, note }),
    resolve: (caller, id, { type, note }) =>
      triage(caller, id, ['NEW', 'ACKNOWLEDGED'], { status: 'RESOLVED', outcome: type, note }),
    dismiss: (caller, id, { reason, note }) =>
      triage(caller, id, ['NEW', 'ACKNOWLEDGED'], { status: 'DISMISSED', outcome: reason, note }),

    byRule: async (query) =>
      (await store.violations.countByRule(timesOf(query))).map((rule) => {
        const settled = rule.resolvedCount + rule.dismissedCount;
        return { ...rule, falsePositiveRate: settled === 0 ? null : rule.falsePositiveCount / settled };
      }),
  };
}

function shown(stored: StoredViolation): RecordedViolation {
  const { violation, outcome, triagedBy, triagedByName, tool, status, ...rest } = stored;
  return {
    ...violation,
    ...rest,
    tool: tool || null,
    status,
    resolution: status === 'RESOLVED' ? (outcome as ResolutionType) : null,
    dismissal: status === 'DISMISSED' ? (outcome as DismissalReason) : null,
    triagedBy: triagedBy === null ? null : personOf(triagedBy, triagedByName),
    triagedAt: isoTimeOrNull(rest.triagedAt),
    createdAt: isoTime(rest.createdAt),
  };
}
