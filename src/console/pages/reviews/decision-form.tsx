import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedReview, Review } from '../../../schemas/reviews.ts';
import { announce } from '../../data/announcements.ts';
import { type Decided, decide, receivedBy, type Verb } from '../../data/decide.ts';
import { deciding, selection } from '../../data/review-choice.ts';
import { readWaiting } from '../../data/reviews-waiting.ts';
import { Field } from '../../parts/field.tsx';
import { problemText } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface DecisionFormProps {
  review: Review;
  listed: readonly ListedReview[];
  onDecided: (ids: readonly string[]) => void;
  reload: () => void;
}

/** Longest comment that the service takes. */
const longestComment = 2_000;

/** Approve and reject; what the agent will receive is shown before it is sent. */
export function DecisionForm({ review, listed, onDecided, reload }: DecisionFormProps) {
  const { reviews: text } = words.value;
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const chosen = listed.filter(({ id }) => selection.value.has(id));
  const targets = chosen.length > 0 ? chosen : [review];
  const verb = deciding.value?.id === review.id ? deciding.value.verb : null;

  async function send(comment: string, verb: Verb) {
    setBusy(true);
    const results: Decided[] = [];
    for (const target of targets) results.push(await decide(target, verb, comment));
    setBusy(false);
    const done = results.filter(({ is }) => is === 'decided').length;
    const kept = results.filter(({ is }) => is === 'failed' || is === 'changed');
    const lines = results.flatMap(lineOf);
    if (done > 0) announce(verb === 'approve' ? text.approved(done) : text.rejected(done));
    else if (lines[0] && kept.length === 0) announce(lines[0]);
    void readWaiting();
    setProblems(lines);
    if (kept.length > 0) {
      deciding.value = null;
      reload();
    } else {
      onDecided(targets.map(({ id }) => id));
    }
  }

  return (
    <section class="decide">
      {selection.value.size > 0 && (
        <p class="selected">
          {text.selected(selection.value.size)}{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              selection.value = new Set();
            }}
          >
            {text.clear}
          </button>
        </p>
      )}
      {problems.map((line) => (
        <p key={line} class="mistake" role="alert">
          <Visible text={line} />
        </p>
      ))}
      {verb === null ? (
        <div class="buttons">
          {(['approve', 'reject'] as const).map((one) => (
            <button
              key={one}
              type="button"
              class={one === 'approve' ? 'button primary' : 'button danger'}
              aria-keyshortcuts={one === 'approve' ? 'A' : 'R'}
              onClick={() => {
                deciding.value = { id: review.id, verb: one };
              }}
            >
              {text[one]} <kbd>{one === 'approve' ? 'A' : 'R'}</kbd>
            </button>
          ))}
        </div>
      ) : (
        <CommentForm
          key={verb}
          verb={verb}
          count={targets.length}
          busy={busy}
          onSend={(comment) => send(comment, verb)}
        />
      )}
    </section>
  );
}

function lineOf(result: Decided): string[] {
  const { reviews: text } = words.value;
  switch (result.is) {
    case 'decided':
      return [];
    case 'changed':
      return [text.changed];
    case 'lost':
      return [text.lost(result.review.decidedBy?.name ?? '–', text.statuses[result.review.status])];
    case 'failed':
      return [problemText(result.error)];
  }
}

interface CommentFormProps {
  verb: Verb;
  count: number;
  busy: boolean;
  onSend: (comment: string) => void;
}

function CommentForm({ verb, count, busy, onSend }: CommentFormProps) {
  const { reviews: text, common } = words.value;
  const [comment, setComment] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const stop = () => {
    deciding.value = null;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend(comment.trim());
      }}
      onKeyDown={(event) => event.key === 'Escape' && stop()}
    >
      <Field label={verb === 'approve' ? text.comment : text.reason}>
        {(ids) => (
          <input
            {...ids}
            ref={input}
            value={comment}
            maxLength={longestComment}
            autocomplete="off"
            onInput={(event) => setComment(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="receives">
        <h3>{text.receives}</h3>
        <p class="quiet">{verb === 'approve' ? text.approveMeans : text.rejectMeans}</p>
        <pre>{JSON.stringify(receivedBy(verb, comment.trim()), null, 2)}</pre>
      </div>
      <div class="buttons">
        <button type="submit" class={verb === 'approve' ? 'button primary' : 'button danger'} disabled={busy}>
          {busy ? text.sending : text.send(verb, count)}
        </button>
        <button type="button" class="button" onClick={stop}>
          {common.cancel}
        </button>
      </div>
    </form>
  );
}
