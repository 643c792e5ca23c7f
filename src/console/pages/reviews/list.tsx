import { useEffect, useRef } from 'preact/hooks';
import type { ListedReview } from '../../../features/reviews/schema.ts';
import { decidingViolation } from '../../data/deciding-violation.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { selection } from '../../data/review-choice.ts';
import { query, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { SeverityName } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { Countdown, Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface ReviewListProps {
  reviews: readonly ListedReview[];
  current: string | null;
  selects: boolean;
  onToggle: (id: string) => void;
}

export function ReviewList({ reviews, current, selects, onToggle }: ReviewListProps) {
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
