import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedReview, ReadReview, Review, ReviewComment } from '../../../features/reviews/schema.ts';
import type { Evaluation, ListedEvaluation } from '../../../schemas/evaluations.ts';
import { call, callAll } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { knowNames, nameOfIdentity, nameOfIntegration } from '../../data/names.ts';
import { deleteDraft, findDraft, useDraft } from '../../data/operator/drafts.ts';
import { may, operator } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { draftOf, lost, selection, useSeen } from '../../data/reviews/decide.ts';
import { setQuery, to } from '../../data/route.ts';
import { Countdown, SeverityName, Tags, Time, Verdict } from '../../parts/badges.tsx';
import { Form, TextField } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { Why } from '../../parts/why.tsx';
import { words } from '../../strings/index.ts';
import { Arguments, argumentsFold, SeveralArguments } from './arguments.tsx';
import { DecisionForm } from './decision-form.tsx';

/** Comments of operators to each other; the agent never sees them. */
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

interface HandlingProps {
  review: Review;
  reload: () => void;
}

const extensions = [15, 60] as const;

/** Who looks at it, and more time to do so. */
function Handling({ review, reload }: HandlingProps) {
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
      {assignee && (
        <p>
          {text.assignedTo} <Visible text={assignee.name} />
        </p>
      )}
      {may('reviews:decide') && (
        <div class="buttons">
          {assignee === null && (
            <button type="button" class="button small" disabled={isBusy} onClick={() => send('claim')}>
              {text.assign}
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

/** How many must approve it and have, and who may not. One approval of anybody who decides needs no words. */
function Quorum({ review }: { review: ReadReview }) {
  const { reviews: text } = words.value;
  const { requires, approvals, notRequester, approvalRefusal, status } = review;
  const [only] = requires;
  const isPlain = requires.length === 1 && only?.quorum === 1 && only.from.length === 0;
  if (isPlain && !notRequester && approvals.length === 0 && !approvalRefusal) return null;
  const needed = Math.max(...requires.map(({ quorum }) => quorum));
  return (
    <section class="quorum" aria-label={text.takes}>
      {status === 'PENDING' && (
        <p>
          <strong>{text.progress(approvals.length, needed)}</strong>
        </p>
      )}
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
    </section>
  );
}

/** Also by the clock: an approval that waits for others has no event. */
const everyMs = 3_000;

interface ReviewDetailProps {
  id: string;
  onDecided: (ids: readonly string[]) => void;
}

function Back() {
  return (
    <button type="button" class="link back" onClick={() => setQuery({ id: null })}>
      ← {words.value.reviews.list}
    </button>
  );
}

export function ReviewDetail({ id, onDecided }: ReviewDetailProps) {
  const explained = useRef(new Map<string, Evaluation | null>());
  const resource = useResource(
    `review ${id}`,
    async ({ signal, background }) => {
      const { data: review } = await call<ReadReview>(`/v1/reviews/${id}`, { signal, background });
      const [evaluation] = await Promise.all([
        explained.current.get(review.evaluationRunId) ?? readExplained(review.evaluationRunId, signal),
        knowNames({ integrations: [review.integrationId] }),
      ]);
      explained.current.set(review.evaluationRunId, evaluation);
      return { review, evaluation };
    },
    { everyMs, on: ['reviews'] },
  );
  return (
    <article class="review">
      <Back />
      <Show resource={resource}>
        {(found) => <Opened {...found} reload={resource.reload} onDecided={onDecided} />}
      </Show>
    </article>
  );
}

interface OpenedProps {
  review: ReadReview;
  evaluation: Evaluation | null;
  reload: () => void;
  onDecided: (ids: readonly string[]) => void;
}

/** The action comes first, then why it was held. How to decide stays in sight below. */
function Opened({ review, evaluation, reload, onDecided }: OpenedProps) {
  const { reviews: text } = words.value;
  const { id, evaluationRunId, approvalRefusal = null } = review;
  const element = useRef<HTMLElement>(null);
  const bar = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(false);
  const { isSeen, showNext } = useSeen(element, bar, `${id} ${evaluationRunId}`);
  const isPending = review.status === 'PENDING';
  const isFolded = !isWhole && argumentsFold(review);
  useLayoutEffect(() => {
    // The one before may have been read to its end.
    const article = element.current?.closest('article');
    if (article && article.getBoundingClientRect().top < 0) article.scrollIntoView();
  }, [id]);
  return (
    <>
      <Title review={review} />
      {!isPending && <Decision review={review} />}
      <Quorum review={review} />
      <Arguments
        review={review}
        detections={evaluation?.detections ?? []}
        element={element}
        isWhole={isWhole}
        onWhole={() => setWhole(true)}
      />
      <section>
        <h3>{text.why}</h3>
        <Why
          decided={{
            enforcementAction: 'APPROVAL_REQUIRED',
            violations: review.violations,
            sessionId: review.sessionId,
            detections: evaluation?.detections ?? [],
            explanation: evaluation?.explanation,
          }}
        />
        <Tags tags={review.dataTags} />
        {review.identity !== null && (
          <p>
            {words.value.evaluation.identity}: <Visible text={nameOfIdentity(review.identity)} />
          </p>
        )}
        <Link href={to('evaluations', evaluationRunId)}>{words.value.evaluation.title}</Link>
      </section>
      {isPending && <Handling review={review} reload={reload} />}
      <SessionSoFar review={review} />
      <ReviewComments id={id} />
      {isPending &&
        (may('reviews:decide') ? (
          <DecisionForm
            id={id}
            targets={[review]}
            bar={bar}
            isSeen={isSeen && !isFolded}
            showNext={() => (isFolded && isSeen ? setWhole(true) : showNext())}
            refusal={approvalRefusal && text.refusals[approvalRefusal]}
            onDecided={onDecided}
            reload={reload}
          />
        ) : (
          <p class="note">{words.value.forbidden}</p>
        ))}
    </>
  );
}

/** With the rules' values of that time; null where the operator may not see it. */
async function readExplained(evaluationRunId: string, signal: AbortSignal): Promise<Evaluation | null> {
  const path = `/v1/evaluations/${evaluationRunId}`;
  try {
    return (await call<Evaluation>(path, { query: { explain: true }, background: true, signal })).data;
  } catch (error) {
    // The next one that asks reads it.
    if (signal.aborted) throw error;
    return null;
  }
}

interface SeveralReviewsProps extends ReviewDetailProps {
  listed: readonly ListedReview[];
}

/** All reviews that are selected, with everything that one decision approves. */
export function SeveralReviews({ id, listed, onDecided }: SeveralReviewsProps) {
  const { reviews: text } = words.value;
  const known = useRef(new Map<string, ReadReview>());
  const keyOf = (review: ListedReview) => `${review.id} ${review.evaluationRunId}`;
  const resource = useResource(listed.map(keyOf).join(), async ({ signal }) => {
    // Lists show what is kept; whoever decides sees what is to be approved.
    const read = async (one: ListedReview) => {
      const found =
        known.current.get(keyOf(one)) ?? (await call<ReadReview>(`/v1/reviews/${one.id}`, { signal })).data;
      known.current.set(keyOf(one), found);
      return found;
    };
    return await Promise.all(listed.map(read));
  });
  return (
    <article class="review">
      <Back />
      <header class="review-title">
        <h2>{text.selected(listed.length)}</h2>
        <button
          type="button"
          class="link"
          onClick={() => {
            selection.value = new Set();
          }}
        >
          {text.clear}
        </button>
      </header>
      <Show resource={resource}>
        {(reviews) => (
          <OpenedTogether id={id} reviews={reviews} reload={resource.reload} onDecided={onDecided} />
        )}
      </Show>
    </article>
  );
}

interface OpenedTogetherProps extends Omit<OpenedProps, 'review' | 'evaluation'> {
  id: string;
  reviews: readonly ReadReview[];
}

function OpenedTogether({ id, reviews, reload, onDecided }: OpenedTogetherProps) {
  const { reviews: text } = words.value;
  const element = useRef<HTMLElement>(null);
  const bar = useRef<HTMLElement>(null);
  const { isSeen, showNext } = useSeen(element, bar, reviews.map((one) => one.id).join());
  const refused = reviews.filter(({ approvalRefusal }) => approvalRefusal);
  return (
    <>
      <SeveralArguments reviews={reviews} element={element} />
      <DecisionForm
        id={id}
        targets={reviews}
        bar={bar}
        isSeen={isSeen}
        showNext={showNext}
        refusal={refused.length > 0 ? text.someRefused(refused.length) : null}
        onDecided={onDecided}
        reload={reload}
      />
    </>
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
