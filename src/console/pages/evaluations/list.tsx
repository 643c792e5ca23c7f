import type { RecordedEvaluation, SearchPagination } from '../../../schemas/evaluations.ts';
import { enforcementActions } from '../../../schemas/words.ts';
import { call } from '../../data/api.ts';
import { count, shortId } from '../../data/format.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { decidingViolation } from '../../data/policies/deciding-violation.ts';
import { useResource } from '../../data/resource.ts';
import { choiceInUrl, query, rangeInUrl, setQuery, to } from '../../data/route.ts';
import { Tags, Verdict } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import {
  EntityFilter,
  Filter,
  IntegrationFilter,
  PeriodFilter,
  SearchFilter,
  SeenFilter,
} from '../../parts/list/filters.tsx';
import { ListTable } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Texts that are searched for, by their parameter in the address, which is also that of the API. */
const texts = ['tool', 'rule', 'tag', 'correlationId', 'traceId'] as const;

const textInUrl = (name: string): string | undefined => query.value.get(name) ?? undefined;

function filterInUrl() {
  return {
    enforcementAction: choiceInUrl('decision', enforcementActions),
    ...rangeInUrl(),
    integrationId: textInUrl('integration'),
    entityId: textInUrl('entity'),
    ...Object.fromEntries(texts.map((name) => [name, textInUrl(name)])),
  };
}

export function EvaluationsPage() {
  const { evaluations: text, verdicts } = words.value;
  const filter = filterInUrl();
  const before = textInUrl('before');
  const resource = useSearch(filter, before);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const noneOf = ({ next }: SearchPagination): string => {
    if (next !== null) return text.noneSoFar;
    return isFiltered ? text.noneFound : text.none;
  };
  return (
    <>
      <Heading title={text.title} />
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ evaluationRunId }) => evaluationRunId}
        resource={resource}
        none={noneOf}
        {...(!isFiltered && { hint: words.value.now.emptyHint })}
        pager={(pagination) => <Further pagination={pagination} isFirst={before === undefined} />}
      >
        <Filter
          label={text.decision}
          name="decision"
          value={filter.enforcementAction}
          choices={enforcementActions}
          names={verdicts}
        />
        <PeriodFilter />
        <IntegrationFilter />
        <EntityFilter />
        <SeenFilter label={text.filters.tool} name="tool" by="tool" />
        <SeenFilter label={text.filters.rule} name="rule" by="rule" />
        <SeenFilter label={text.filters.tag} name="tag" by="tag" />
        <SearchFilter label={text.filters.correlationId} name="correlationId" />
        <SearchFilter label={text.filters.traceId} name="traceId" />
      </ListTable>
    </>
  );
}

type Filters = Readonly<Record<string, string | undefined>>;

/** The matching evaluations, newest first. A search stops where it would slow down others, and says where to continue. */
function useSearch(filter: Filters, before: string | undefined) {
  // With a page, because what no filter narrows would be the latest ones, oldest first.
  const asked = { ...filter, before, page: 1 };
  return useResource(
    `evaluations ${JSON.stringify(asked)}`,
    async ({ signal, background }) => {
      const found = await call<RecordedEvaluation[]>('/v1/evaluations', { query: asked, signal, background });
      return { data: found.data, pagination: found.pagination as SearchPagination };
    },
    { on: before === undefined ? ['evaluations'] : [] },
  );
}

function Further({ pagination: { total, totalIsExact, next }, isFirst }: FurtherProps) {
  const { common, evaluations: text } = words.value;
  if (isFirst && next === null && total === 0) return null;
  return (
    <nav class="pager" aria-label={text.pages}>
      {isFirst && (
        <span class="quiet">
          {totalIsExact ? common.total(count(total)) : common.moreThan(count(total - 1))}
        </span>
      )}
      {!(isFirst && next === null) && (
        <>
          <button
            type="button"
            class="button small"
            disabled={isFirst}
            onClick={() => setQuery({ before: null })}
          >
            {text.newest}
          </button>
          <button
            type="button"
            class="button small"
            disabled={next === null}
            onClick={() => setQuery({ before: next })}
          >
            {common.older}
          </button>
        </>
      )}
    </nav>
  );
}

interface FurtherProps {
  pagination: SearchPagination;
  isFirst: boolean;
}

/** The name of the action: its tool, or else its subject. */
const actionOf = ({ tool, targetKey, phase }: RecordedEvaluation): string =>
  tool ?? targetKey ?? words.value.phases[phase];

function columnsOf(): Column<RecordedEvaluation>[] {
  const { evaluations: text, evaluation, verdicts } = words.value;
  const { columns } = text;
  const deciding = ({ violations, enforcementAction }: RecordedEvaluation) =>
    decidingViolation(violations, enforcementAction);
  return [
    {
      id: 'action',
      heading: columns.tool,
      value: actionOf,
      show: (row) => (
        <Link href={to('evaluations', row.evaluationRunId)}>
          <Visible text={actionOf(row)} />
        </Link>
      ),
    },
    {
      id: 'decision',
      heading: text.decision,
      kind: 'mark',
      value: ({ enforcementAction }) => verdicts[enforcementAction],
      show: ({ enforcementAction }) => <Verdict action={enforcementAction} />,
    },
    { id: 'why', heading: columns.why, value: (row) => deciding(row)?.message ?? '–' },
    { id: 'rule', heading: text.filters.rule, isOptional: true, value: (row) => deciding(row)?.ruleId ?? '' },
    {
      id: 'data',
      heading: evaluation.detections,
      isOptional: true,
      value: ({ dataTags }) => dataTags.join(' '),
      show: ({ dataTags }) => <Tags tags={dataTags} most={4} />,
    },
    {
      id: 'integration',
      heading: columns.integration,
      value: ({ integrationId }) => nameOfIntegration(integrationId) ?? '',
      show: ({ integrationId }) => (
        <Link href={to('integrations', integrationId)}>
          <Visible text={nameOfIntegration(integrationId) ?? `…${shortId(integrationId)}`} />
        </Link>
      ),
    },
    {
      id: 'session',
      heading: evaluation.session,
      isOptional: true,
      value: ({ sessionId }) => sessionId ?? '',
      show: ({ sessionId, evaluationRunId }) =>
        sessionId && (
          <Link href={`${to('sessions', sessionId)}?evaluation=${evaluationRunId}`}>
            …{shortId(sessionId)}
          </Link>
        ),
    },
    { id: 'at', heading: columns.at, kind: 'time', value: ({ createdAt }) => createdAt },
  ];
}
