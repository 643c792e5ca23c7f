import type { ListedReview, Review, ReviewComment } from '../../../features/reviews/schema.ts';
import type { ListedEvaluation } from '../../../schemas/evaluations.ts';
import { call, callAll } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { draftOf, lost } from '../../data/decide.ts';
import { deleteDraft, findDraft, useDraft } from '../../data/drafts.ts';
import { nameOfIdentity, nameOfIntegration } from '../../data/names.ts';
import { may, operator } from '../../data/operator.ts';
import { useResource } from '../../data/resource.ts';
import { setQuery, to } from '../../data/route.ts';
import { Countdown, SeverityName, Tags, Time, Verdict } from '../../parts/badges.tsx';
import { Form, TextField } from '../../parts/form.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Violations } from '../../parts/violations.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { DecisionForm } from './decision-form.tsx';

/** What operators write to each other; the agent never sees it. */
function ReviewComments({ id }: { id: string }) {
  const { reviews: text } = words.value;
  const path = `/v1/reviews/${id}/comments`;
  const [comment, setComment] = useDraft(path, '');
  const resource = useResource(
    path,
    ({ signal, background }) => callAll<ReviewComment>(path, { signal, background }),
    { on: ['reviews'] },
  );
  async function write() {
    await call<ReviewComment>(path, { method: 'POST', json: { text: comment.trim() } });
    setComment('');
    deleteDraft(path);
    resource.reload();
  }
  return (
    <section>
      <h3>{text.comments}</h3>
      <p class="quiet">{text.commentsHint}</p>
      <Show resource={resource}>
        {(comments) => (
          <ol class="comments">
            {comments.map(({ id: key, author, text: said, createdAt }) => (
              <li key={key}>
                <strong>
                  <Visible text={author.name} />
                </strong>{' '}
                <Time at={createdAt} />
                <p>
                  <Visible text={said} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </Show>
      {may('reviews:decide') && (
        <Form submitLabel={text.writeComment} isComplete={comment.trim() !== ''} onSubmit={write}>
          <TextField label={text.newComment} value={comment} maxLength={2_000} onInput={setComment} />
        </Form>
      )}
    </section>
  );
}

interface TogetherProps {
  review: Review;
  reload: () => void;
}

const extensions = [15, 60] as const;

/** What several operators need of each other: who approved, who looks at it, and time. */
function Together({ review, reload }: TogetherProps) {
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

interface ReviewDetailProps {
  id: string;
  listed: readonly ListedReview[];
  onDecided: (ids: readonly string[]) => void;
}

/** Also by the clock: an approval that waits for others has no event. */
const everyMs = 3_000;

export function ReviewDetail({ id, listed, onDecided }: ReviewDetailProps) {
  const resource = useResource(
    `review ${id}`,
    async ({ signal, background }) => (await call<Review>(`/v1/reviews/${id}`, { signal, background })).data,
    { everyMs, on: ['reviews'] },
  );
  return (
    <article class="review">
      <button type="button" class="link back" onClick={() => setQuery({ id: null })}>
        ← {words.value.reviews.list}
      </button>
      <Show resource={resource}>
        {(review) => (
          <>
            <Title review={review} />
            {review.status === 'PENDING' ? (
              may('reviews:decide') ? (
                <DecisionForm
                  review={review}
                  listed={listed}
                  onDecided={onDecided}
                  reload={resource.reload}
                />
              ) : (
                <p class="note">{words.value.forbidden}</p>
              )
            ) : (
              <Decision review={review} />
            )}
            {review.status === 'PENDING' && <Together review={review} reload={resource.reload} />}
            <Held review={review} />
            <SessionSoFar review={review} />
            <ReviewComments id={review.id} />
          </>
        )}
      </Show>
    </article>
  );
}

function Title({ review }: { review: Review }) {
  const { reviews: text } = words.value;
  const name = nameOfIntegration(review.integrationId);
  const called = review.tool ?? review.targetKey;
  return (
    <header class="review-title">
      <h2>
        {name && <Visible text={name} />} {called === null ? text.wantsContent : text.wants}{' '}
        {called !== null && (
          <code>
            <Visible text={called} />
          </code>
        )}
      </h2>
      <p class="facts">
        <SeverityName severity={review.severity} />
        <Time at={review.createdAt} show="full" />
        {review.status === 'PENDING' && <Countdown until={review.expiresAt} />}
      </p>
    </header>
  );
}

function Decision({ review }: { review: Review }) {
  const { reviews: text } = words.value;
  const { decidedBy, decidedAt, comment, status } = review;
  const unsent = findDraft<string>(draftOf(review.id));
  return (
    <section class={`decision ${status}`}>
      <h3>
        {text.decision}: {text.statuses[status]}
      </h3>
      {lost.value.has(review.id) && (
        <p class="mistake" role="alert">
          <Visible text={text.lost(decidedBy?.name ?? '–', text.statuses[status])} />
        </p>
      )}
      {decidedBy && decidedAt && (
        <p>
          <Visible text={decidedBy.name} />, <Time at={decidedAt} show="full" />
        </p>
      )}
      {comment && (
        <blockquote>
          <Visible text={comment} />
        </blockquote>
      )}
      {unsent && (
        <p class="note">
          <Visible text={text.unsent(unsent)} />
        </p>
      )}
    </section>
  );
}

function Held({ review }: { review: Review }) {
  const { reviews: text, evaluation: evaluationText, common } = words.value;
  return (
    <>
      <section>
        <h3>{text.why}</h3>
        <Violations violations={review.violations} />
        <Tags tags={review.dataTags} />
      </section>
      <section>
        {review.identity !== null && (
          <p>
            {evaluationText.identity}: <Visible text={nameOfIdentity(review.identity)} />
          </p>
        )}
        {review.targetKey !== null && (
          <p>
            {text.target}:{' '}
            <code>
              <Visible text={review.targetKey} />
            </code>
          </p>
        )}
        {review.input === null ? (
          <p class="note">{common.notKept}</p>
        ) : (
          <Json value={review.input} label={text.input} />
        )}
        {review.targetMetadata !== null && <Json value={review.targetMetadata} label={text.metadata} />}
      </section>
    </>
  );
}

const shownBefore = 8;

function SessionSoFar({ review: { sessionId } }: { review: Review }) {
  const { reviews: text } = words.value;
  if (sessionId === null) return <p class="quiet">{text.noSession}</p>;
  return (
    <section>
      <h3>{text.before}</h3>
      <LastActions sessionId={sessionId} />
      <Link href={to('sessions', sessionId)}>{text.openSession}</Link>
    </section>
  );
}

function LastActions({ sessionId }: { sessionId: string }) {
  const resource = useResource(`before ${sessionId}`, async ({ signal }) => {
    const query = { size: shownBefore };
    return (
      await call<ListedEvaluation[]>(`/v1/evaluation-sessions/${sessionId}/evaluations`, { query, signal })
    ).data;
  });
  return (
    <Show resource={resource}>
      {(evaluations) => (
        <ol class="last-actions">
          {[...evaluations].reverse().map((one) => (
            <li key={one.evaluationRunId}>
              <Link href={to('evaluations', one.evaluationRunId)}>
                <Time at={one.createdAt} show="time" />
                <Verdict action={one.enforcementAction} />
                <Visible text={one.tool ?? words.value.phases[one.phase]} />
              </Link>
              <Tags tags={one.dataTags} />
            </li>
          ))}
        </ol>
      )}
    </Show>
  );
}
