import type { ListedReview, ReviewStatus } from '../../features/reviews/schema.ts';
import type { Response } from '../data/api.ts';
import type { Verb } from '../data/decide.ts';
import { notifying, startNotifying } from '../data/notifications.ts';
import { may } from '../data/operator.ts';
import { useList } from '../data/resource.ts';
import { deciding, selection, toggle } from '../data/review-choice.ts';
import { choiceInUrl, query, setQuery } from '../data/route.ts';
import { useShortcuts } from '../data/shortcuts.ts';
import { Choice } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { Empty, Show } from '../parts/states.tsx';
import { words } from '../strings/index.ts';
import { ReviewDetail } from './reviews/detail.tsx';
import { ReviewList } from './reviews/list.tsx';

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
  const resource = useList<ListedReview>('/v1/reviews', { status }, { on: ['reviews'], size: pageSize });
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
      <Show resource={resource}>
        {(response) => <Found response={response} status={status} reload={resource.reload} />}
      </Show>
    </div>
  );
}

interface FoundProps {
  response: Response<ListedReview[]>;
  status: ReviewStatus;
  reload: () => void;
}

function Found({ response: { data, pagination }, status, reload }: FoundProps) {
  const { reviews: text } = words.value;
  // The oldest pending one waits longest; of decided ones the newest matters.
  const shown = status === 'PENDING' ? [...data].reverse() : data;
  const asked = query.value.get('id');
  const id = asked ?? (matchMedia('(min-width: 900px)').matches ? (shown[0]?.id ?? null) : null);

  const move = (step: number) => {
    const place = shown.findIndex((review) => review.id === id);
    const next = shown[Math.min(shown.length - 1, Math.max(0, place + step))];
    if (next) setQuery({ id: next.id }, { keep: false });
  };
  const mayDecide = status === 'PENDING' && may('reviews:decide');
  const start = (verb: Verb) => {
    // A form that is open stays: the other key would replace what is typed.
    if (id !== null && mayDecide && deciding.value?.id !== id) deciding.value = { id, verb };
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: () => id !== null && mayDecide && toggle(id),
    a: () => start('approve'),
    r: () => start('reject'),
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
    setQuery({ id: next?.id ?? null }, { keep: false });
    reload();
  };

  if (pagination.total === 0 && asked === null) {
    return (
      <Empty title={status === 'PENDING' ? text.none : text.noneOfStatus}>
        {status === 'PENDING' && <p>{text.noneHint}</p>}
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
            <ReviewDetail key={id} id={id} listed={shown} onDecided={decided} />
          )}
        </div>
      </div>
      <p class="quiet keys">{text.keys}</p>
    </>
  );
}
