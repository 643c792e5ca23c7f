import type { RecordedEvaluation, SearchPagination } from '../../schemas/evaluations.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import type { Column } from '../output/table.ts';

const columns: Column<RecordedEvaluation>[] = [
  { title: 'ID', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'DECISION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'PHASE', of: ({ phase }) => phase, word: true },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'RULES', of: ({ violations }) => violations.map(({ ruleId }) => ruleId).join(',') },
  { title: 'TAGS', of: ({ dataTags }) => dataTags.join(',') },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'AT', of: ({ createdAt }) => createdAt },
];

interface Filters {
  decision?: string;
  tool?: string;
  rule?: string;
  tag?: string;
  integration?: string;
  entity?: string;
  correlation?: string;
  trace?: string;
  from?: string;
  to?: string;
  before?: string;
  size?: number;
}

export async function list({ http, out, options }: Call<Filters>): Promise<void> {
  const { decision, integration, entity, correlation, trace, before, size = 50, ...others } = options;
  const { tool, rule, tag, from, to } = others;
  const integrationId = integration === undefined ? undefined : await idOf(http, 'integrations', integration);
  const named = { enforcementAction: decision, entityId: entity, correlationId: correlation, traceId: trace };
  const filters = { tool, rule, tag, from, to, integrationId, ...named };
  const found: RecordedEvaluation[] = [];
  let next = before ?? null;
  do {
    const { data, pagination } = await http.send<RecordedEvaluation[]>({
      method: 'GET',
      path: '/v1/evaluations',
      // With a page, because what no filter narrows would be the latest ones, oldest first.
      query: { ...filters, page: 1, size: size - found.length, before: next ?? undefined },
    });
    found.push(...data);
    next = (pagination as SearchPagination).next;
    // A search stops early where it would slow down others.
  } while (next !== null && found.length < size);
  out.list(found, columns, 'There are no such evaluations.');
  if (next !== null) out.note(`there are more: --before ${next} shows the next`);
}
