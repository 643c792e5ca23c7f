import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedReview, ReviewStatus } from '../../../features/reviews/schema.ts';
import { severities } from '../../../schemas/words.ts';
import type { Response } from '../../data/api.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { useShortcuts } from '../../data/operator/preferences.ts';
import { may } from '../../data/operator/sign-in.ts';
import { decidingViolation } from '../../data/policies/deciding-violation.ts';
import { useList } from '../../data/resource.ts';
import { deciding, selection, toggle } from '../../data/reviews/decide.ts';
import { notifying, startNotifying } from '../../data/reviews/waiting.ts';
import { choiceInUrl, query, rangeInUrl, setQuery, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { Countdown, SeverityName, Time } from '../../parts/badges.tsx';
import { Choice } from '../../parts/form/field.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Filter, IntegrationFilter, PeriodFilter, SeenFilter } from '../../parts/list/filters.tsx';
import {
  ClearFilters,
  EntryTools,
  FilterFields,
  Find,
  isNarrowed,
  Pager,
  useEntry,
} from '../../parts/list/list.tsx';
import { type Column, isFound } from '../../parts/list/table.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { ReviewDetail, SeveralReviews } from './detail.tsx';

interface ReviewListProps {
  reviews: readonly ListedReview[];
  current: string | null;
  selects: boolean;
  onToggle: (id: string) => void;
}

function ReviewList({ reviews, current, selects, onToggle }: ReviewListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <ul class="entries" ref={list} aria-label={words.value.reviews.list}>
      {reviews.map((review) => (
        <li key={review.id} class={review.id === current ? 'current' : undefined}>
          {selects && <SelectBox review={review} onToggle={onToggle} />}
          <Entry review={review} isCurrent={review.id === current} />
        </li>
      ))}
    </ul>
  );
}

const toolOf = ({ tool, targetKey }: ListedReview): string => tool ?? targetKey ?? '';

const textsOf = ({ violations, correlationId, sessionId, targetKey }: ListedReview) => [
  ...violations.flatMap(({ ruleName, message }) => [ruleName, message]),
  ...[correlationId, sessionId, targetKey],
];
const byExpiry = (one: ListedReview, other: ListedReview): number =>
  Date.parse(one.expiresAt) - Date.parse(other.expiresAt);

function SelectBox({ review, onToggle }: { review: ListedReview; onToggle: (id: string) => void }) {
  return (
    <input
      type="checkbox"
      checked={selection.value.has(review.id)}
      aria-label={`${words.value.reviews.select}: ${visibleText(toolOf(review))}`}
      onChange={() => onToggle(review.id)}
    />
  );
}

function Entry({ review, isCurrent }: { review: ListedReview; isCurrent: boolean }) {
  const parameters = new URLSearchParams(query.value);
  parameters.set('id', review.id);
  const deciding = decidingViolation(review.violations, 'APPROVAL_REQUIRED');
  return (
    <Link href={`${to('reviews')}?${parameters}`} current={isCurrent} class="entry">
      <span class="entry-name">
        <Visible text={toolOf(review) || words.value.evaluation.title} />
      </span>
      {review.status === 'PENDING' ? <Countdown until={review.expiresAt} /> : <Time at={review.createdAt} />}
      <span class="entry-why quiet">{deciding && <Visible text={deciding.ruleName} />}</span>
      <SeverityName severity={review.severity} />
      <span class="entry-about quiet">
        <Visible text={nameOfIntegration(review.integrationId) ?? ''} />
      </span>
    </Link>
  );
}

const statuses: readonly ReviewStatus[] = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'CONSUMED',
];
const pageSize = 100;

export function ReviewsPage() {
  const { reviews: text } = words.value;
  const status = choiceInUrl('status', statuses) ?? 'PENDING';
  const severity = choiceInUrl('severity', severities);
  const filter = {
    status,
    severity,
    integrationId: query.value.get('integration') ?? undefined,
    tool: query.value.get('tool') ?? undefined,
    ...rangeInUrl(),
  };
  const resource = useList<ListedReview>('/v1/reviews', filter, { on: ['reviews'], size: pageSize });
  const choose = (next: ReviewStatus) => {
    selection.value = new Set();
    setQuery({ status: next === 'PENDING' ? null : next, id: null, page: null });
  };
  return (
    <div class="reviews">
      <Heading title={text.title}>
        <Choice
          label={text.filterLabel}
          value={status}
          choices={statuses.map((one) => [one, text.statuses[one]])}
          onChoose={choose}
        />
        <button
          type="button"
          class="button small"
          disabled={notifying.value}
          onClick={() => void startNotifying()}
        >
          {notifying.value ? text.notifying : text.notify}
        </button>
      </Heading>
      <div class="filters">
        <Find />
        <EntryTools
          title={text.title}
          columns={csvColumns()}
          rows={resource.state.is === 'ready' ? shownOf(resource.state.data.data, status) : []}
        />
        <FilterFields>
          <Filter
            label={words.value.violations.severity}
            name="severity"
            value={severity}
            choices={severities}
            names={words.value.severities}
            folded
          />
          <PeriodFilter />
          <IntegrationFilter />
          <SeenFilter label={words.value.evaluations.filters.tool} name="tool" by="tool" />
        </FilterFields>
      </div>
      <Show resource={resource}>
        {(response) => <Found response={response} status={status} reload={resource.reload} />}
      </Show>
    </div>
  );
}

/** Reviews that match the search. Pending ones stand by their expiry, the soonest first; others stay in the order of the service. */
function shownOf(reviews: readonly ListedReview[], status: ReviewStatus): ListedReview[] {
  const found = reviews.filter((review) =>
    isFound([toolOf(review), nameOfIntegration(review.integrationId), ...textsOf(review)]),
  );
  return status === 'PENDING' ? found.sort(byExpiry) : found;
}

function csvColumns(): Column<ListedReview>[] {
  const { reviews: text, severities: names, common, evaluations, violations } = words.value;
  return [
    { id: 'at', heading: evaluations.columns.at, value: ({ createdAt }) => createdAt },
    { id: 'tool', heading: violations.tool, value: toolOf },
    {
      id: 'severity',
      heading: violations.severity,
      value: ({ severity }) => (severity === null ? '' : names[severity]),
    },
    { id: 'status', heading: common.status, value: ({ status }) => text.statuses[status] },
    {
      id: 'why',
      heading: evaluations.columns.why,
      value: (review) => decidingViolation(review.violations, 'APPROVAL_REQUIRED')?.message ?? '',
    },
    {
      id: 'integration',
      heading: evaluations.columns.integration,
      value: ({ integrationId }) => nameOfIntegration(integrationId) ?? integrationId,
    },
    { id: 'review', heading: 'ID', value: ({ id }) => id },
  ];
}

interface FoundProps {
  response: Response<ListedReview[]>;
  status: ReviewStatus;
  reload: () => void;
}

function Found({ response: { data, pagination }, status, reload }: FoundProps) {
  const { reviews: text } = words.value;
  const shown = shownOf(data, status);
  const asked = query.value.get('id');
  const [decidedOf, setDecidedOf] = useState<unknown>(null);
  const id = useEntry(shown, decidedOf === data);

  const move = (step: number) => {
    const place = shown.findIndex((review) => review.id === id);
    const next = shown[Math.min(shown.length - 1, Math.max(0, place + step))];
    if (next) setQuery({ id: next.id }, { keep: false });
  };
  const mayDecide = status === 'PENDING' && may('reviews:decide');
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => id !== null && mayDecide && toggle(id),
    escape: () => {
      selection.value = new Set();
    },
  });

  /** The next one that waits, so that many can be decided one after another. */
  const decided = (ids: readonly string[]) => {
    const left = shown.filter((review) => !ids.includes(review.id));
    const place = shown.findIndex((review) => review.id === id);
    const next = shown.slice(place).find((review) => !ids.includes(review.id)) ?? left.at(-1);
    selection.value = new Set();
    deciding.value = null;
    setDecidedOf(data);
    setQuery({ id: next?.id ?? null }, { keep: false });
    reload();
  };

  if (shown.length === 0 && asked === null) {
    return (
      <Empty
        title={
          isNarrowed() ? words.value.table.noMatch : status === 'PENDING' ? text.none : text.noneOfStatus
        }
      >
        {status === 'PENDING' && !isNarrowed() && <p>{text.noneHint}</p>}
        <ClearFilters />
      </Empty>
    );
  }
  return (
    <>
      <div class={asked === null ? 'split' : 'split chosen'}>
        <div class="split-list">
          <ReviewList reviews={shown} current={id} selects={mayDecide} onToggle={toggle} />
          <Pager pagination={pagination} />
        </div>
        <div class="split-detail">
          {id === null ? (
            <Empty title={text.choose} />
          ) : (
            <Detail
              id={id}
              chosen={shown.filter((review) => selection.value.has(review.id))}
              onDecided={decided}
            />
          )}
        </div>
      </div>
      <p class="quiet keys">{text.keys}</p>
    </>
  );
}

interface DetailProps {
  id: string;
  /** The reviews that are selected. */
  chosen: readonly ListedReview[];
  onDecided: (ids: readonly string[]) => void;
}

function Detail({ id, chosen, onDecided }: DetailProps) {
  return chosen.length > 0 ? (
    <SeveralReviews id={id} listed={chosen} onDecided={onDecided} />
  ) : (
    <ReviewDetail key={id} id={id} onDecided={onDecided} />
  );
}
