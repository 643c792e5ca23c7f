import type { RecordedEvaluation, SearchPagination } from '../../schemas/evaluations.ts';
import { enforcementActions } from '../../schemas/words.ts';
import { call } from '../data/api.ts';
import { now } from '../data/clock.ts';
import { decidingViolation } from '../data/deciding-violation.ts';
import { count } from '../data/format.ts';
import { nameOfIntegration } from '../data/names.ts';
import { useResource } from '../data/resource.ts';
import { choiceInUrl, query, setQuery, to } from '../data/route.ts';
import { Time, Verdict } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Filter, SearchFilter } from '../parts/list.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const hourMs = 3_600_000;
const periodsMs = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const;
type Period = keyof typeof periodsMs;
const periods = Object.keys(periodsMs) as Period[];
/** Texts that are searched for, by their parameter in the address, which is also that of the API. */
const texts = ['tool', 'rule', 'tag', 'correlationId', 'traceId'] as const;

export function EvaluationsPage() {
  const { evaluations: text, verdicts } = words.value;
  const period = choiceInUrl('period', periods);
  const enforcementAction = choiceInUrl('decision', enforcementActions);
  return (
    <>
      <Heading title={text.title}>
        <Filter
          label={text.period}
          name="period"
          value={period}
          choices={periods}
          names={text.periods}
          folded
        />
      </Heading>
      <div class="filters">
        <Filter
          label={text.decision}
          name="decision"
          value={enforcementAction}
          choices={enforcementActions}
          names={verdicts}
        />
        {texts.map((name) => (
          <SearchFilter key={name} label={text.filters[name]} name={name} />
        ))}
      </div>
      <Found
        filter={{
          enforcementAction,
          from: period && since(periodsMs[period]),
          integrationId: textInUrl('integration'),
          entityId: textInUrl('entity'),
          ...Object.fromEntries(texts.map((name) => [name, textInUrl(name)])),
        }}
      />
    </>
  );
}

const textInUrl = (name: string): string | undefined => query.value.get(name) ?? undefined;

/** By the minute: what is shown moves once a minute, not every second. */
const since = (ms: number): string => new Date(Math.floor(now.value / 60_000) * 60_000 - ms).toISOString();

type Filters = Readonly<Record<string, string | undefined>>;

/** What matches, newest first. A search stops where it would slow down others, and says where to continue. */
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

function Found({ filter }: { filter: Filters }) {
  const { evaluations: text } = words.value;
  const before = textInUrl('before');
  const resource = useSearch(filter, before);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const noneOf = ({ next }: SearchPagination): string => {
    if (next !== null) return text.noneSoFar;
    return isFiltered ? text.noneFound : text.none;
  };
  return (
    <Show resource={resource}>
      {({ data, pagination }) => (
        <>
          {data.length > 0 ? <EvaluationTable evaluations={data} /> : <Empty title={noneOf(pagination)} />}
          <Further pagination={pagination} isFirst={before === undefined} />
        </>
      )}
    </Show>
  );
}

function Further({ pagination: { total, totalIsExact, next }, isFirst }: FurtherProps) {
  const { common, evaluations: text } = words.value;
  if (isFirst && next === null && total === 0) return null;
  return (
    <nav class="pager" aria-label={text.pages}>
      {isFirst && (
        <span class="quiet">{totalIsExact ? common.total(count(total)) : text.least(count(total))}</span>
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

function EvaluationTable({ evaluations }: { evaluations: readonly RecordedEvaluation[] }) {
  const { evaluations: text } = words.value;
  const { columns } = text;
  return (
    <Table headings={[columns.tool, text.decision, columns.why, columns.integration, columns.at]}>
      {evaluations.map((evaluation) => (
        <Row key={evaluation.evaluationRunId} evaluation={evaluation} />
      ))}
    </Table>
  );
}

function Row({ evaluation }: { evaluation: RecordedEvaluation }) {
  const { evaluationRunId, tool, targetKey, phase, enforcementAction, violations, integrationId, createdAt } =
    evaluation;
  const deciding = decidingViolation(violations, enforcementAction);
  return (
    <tr>
      <th scope="row">
        <Link href={to('evaluations', evaluationRunId)}>
          <Visible text={tool ?? targetKey ?? words.value.phases[phase]} />
        </Link>
      </th>
      <td>
        <Verdict action={enforcementAction} />
      </td>
      <td>
        <Visible text={deciding?.message ?? '–'} />
      </td>
      <td>
        <Visible text={nameOfIntegration(integrationId) ?? ''} />
      </td>
      <td>
        <Time at={createdAt} />
      </td>
    </tr>
  );
}
