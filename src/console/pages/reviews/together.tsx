import type { Review } from '../../../features/reviews/schema.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { may, operator } from '../../data/operator.ts';
import { Problem } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface TogetherProps {
  review: Review;
  reload: () => void;
}

const extensions = [15, 60] as const;

/** What several operators need of each other: who approved, who looks at it, and time. */
export function Together({ review, reload }: TogetherProps) {
  const { reviews: text } = words.value;
  const { error, isBusy, run } = useChange();
  const send = (verb: string, json?: object) =>
    void run(async () => {
      await call<Review>(`/v1/reviews/${review.id}/${verb}`, { method: 'POST', ...(json && { json }) });
      reload();
    });
  const { assignee } = review;
  const isMine = assignee !== null && assignee.id === operator.value?.id;
  return (
    <section class="together">
      <Requirements review={review} />
      {assignee && (
        <p>
          {text.claimedBy} <Visible text={assignee.name} />
        </p>
      )}
      {may('reviews:decide') && (
        <div class="buttons">
          {assignee === null && (
            <button type="button" class="button small" disabled={isBusy} onClick={() => send('claim')}>
              {text.claim}
            </button>
          )}
          {(isMine || (assignee && may('operators:write'))) && (
            <button type="button" class="button small" disabled={isBusy} onClick={() => send('release')}>
              {text.release}
            </button>
          )}
          {extensions.map((minutes) => (
            <button
              key={minutes}
              type="button"
              class="button small"
              disabled={isBusy}
              onClick={() => send('extend', { minutes })}
            >
              {text.extend(minutes)}
            </button>
          ))}
        </div>
      )}
      {error && <Problem error={error} />}
    </section>
  );
}

/** What it takes to approve it, and who did so far. One approval of anybody who decides needs no words. */
function Requirements({ review: { requires, approvals, notRequester } }: { review: Review }) {
  const { reviews: text } = words.value;
  const [only] = requires;
  const isPlain = requires.length === 1 && only?.quorum === 1 && only.from.length === 0;
  if (isPlain && !notRequester && approvals.length === 0) return null;
  return (
    <>
      <h3>{text.takes}</h3>
      <ul class="plain">
        {requires.map(({ quorum, from }) => (
          <li key={from.join()}>{text.requires(quorum, from)}</li>
        ))}
        {notRequester && <li>{text.notRequester}</li>}
      </ul>
      {approvals.map(({ by, at, comment }) => (
        <p key={by.id}>
          {text.approvedBy} <Visible text={by.name} />, <Time at={at} />
          {comment && (
            <>
              : <Visible text={comment} />
            </>
          )}
        </p>
      ))}
    </>
  );
}
