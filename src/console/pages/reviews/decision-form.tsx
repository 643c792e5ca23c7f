import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Review, ReviewReason } from '../../../features/reviews/schema.ts';
import type { ReviewGrant } from '../../../schemas/review-terms.ts';
import { announce } from '../../data/change.ts';
import { deleteDraft, useDraft } from '../../data/operator/drafts.ts';
import { useShortcuts } from '../../data/operator/preferences.ts';
import {
  type Decided,
  decide,
  deciding,
  draftOf,
  type Grounds,
  lost,
  receivedBy,
  type Verb,
} from '../../data/reviews/decide.ts';
import { readWaiting } from '../../data/reviews/waiting.ts';
import { Field } from '../../parts/form/field.tsx';
import { Select } from '../../parts/form/form.tsx';
import { problemText } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Longest comment that the service takes. */
const longestComment = 2_000;

const reasons: Readonly<Record<Verb, readonly ReviewReason[]>> = {
  approve: ['EXPECTED', 'CONFIRMED_WITH_REQUESTER', 'FALSE_POSITIVE', 'OTHER'],
  reject: ['WRONG_RECIPIENT', 'TOO_MUCH_DATA', 'NOT_AUTHORIZED', 'SUSPECTED_INJECTION', 'OTHER'],
};

const reasonDraftOf = (reviewId: string, verb: Verb): string => `${draftOf(reviewId)}: reason to ${verb}`;

interface GroundsFormProps {
  reviewId: string;
  verb: Verb;
  /** Reviews that are decided at once. */
  count: number;
  /** The later actions that approving covers. */
  grants: readonly ReviewGrant[];
  busy: boolean;
  onSend: (grounds: Grounds) => void;
}

/** Why, with what the agent will receive. */
function GroundsForm({ reviewId, verb, count, grants, busy, onSend }: GroundsFormProps) {
  const { reviews: text, common } = words.value;
  const [comment, setComment] = useDraft(draftOf(reviewId), '');
  const [reason, setReason] = useDraft<ReviewReason | 'NONE'>(reasonDraftOf(reviewId, verb), 'NONE');
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const [once, setOnce] = useState(false);
  const grounds = { comment: comment.trim(), reason: reason === 'NONE' ? null : reason, once };
  const stop = () => {
    deciding.value = null;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend(grounds);
      }}
      onKeyDown={(event) => event.key === 'Escape' && stop()}
    >
      <Field label={verb === 'approve' ? text.comment : text.rejection}>
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
      <Select
        label={text.reason}
        value={reason}
        choices={[['NONE', '–'], ...reasons[verb].map((one) => [one, text.reasons[one]] as const)]}
        onChoose={setReason}
      />
      <div class="receives">
        <h3>{text.receives}</h3>
        <p class="quiet">{verb === 'approve' ? text.approveMeans(count) : text.rejectMeans(count)}</p>
        {verb === 'approve' && grants.length > 0 && (
          <>
            <Grants grants={grants} />
            <label class="check">
              <input type="checkbox" checked={once} onChange={() => setOnce(!once)} /> {text.once}
            </label>
          </>
        )}
        <pre>{JSON.stringify(receivedBy(verb, grounds), null, 2)}</pre>
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

function Grants({ grants }: { grants: readonly ReviewGrant[] }) {
  const { reviews: text } = words.value;
  return (
    <ul class="plain">
      {grants.map(({ id, ruleId, same, uses, seconds }) => (
        <li key={id}>
          <Visible text={text.grant(ruleId, same, uses, seconds === null ? null : Math.ceil(seconds / 60))} />
        </li>
      ))}
    </ul>
  );
}

interface DecisionFormProps {
  /** The review that is open: what is typed is kept for it. */
  id: string;
  targets: readonly Pick<Review, 'id' | 'evaluationRunId' | 'grants'>[];
  bar: RefObject<HTMLElement | null>;
  /** Whether all that would be approved was in sight. */
  isSeen: boolean;
  showNext: () => void;
  /** Why the operator cannot approve it; null when nothing is known against it. */
  refusal: string | null;
  onDecided: (ids: readonly string[]) => void;
  reload: () => void;
}

/** Approve and reject, in sight wherever one reads; what the agent will receive is shown before it is sent. */
export function DecisionForm({
  id,
  targets,
  bar,
  isSeen,
  showNext,
  refusal,
  onDecided,
  reload,
}: DecisionFormProps) {
  const { reviews: text } = words.value;
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const mayApprove = isSeen && refusal === null;
  const asked = deciding.value?.id === id ? deciding.value.verb : null;
  const verb = asked === 'approve' && !mayApprove ? null : asked;
  useShortcuts({
    // Until all is read, the key reads on.
    a: () => (isSeen ? start('approve') : showNext()),
    r: () => start('reject'),
  });
  function start(verb: Verb): void {
    // A form that is open stays: the other key would replace what is typed.
    if (deciding.value?.id === id || (verb === 'approve' && !mayApprove)) return;
    deciding.value = { id, verb };
  }

  async function send(grounds: Grounds, verb: Verb) {
    setBusy(true);
    const results: Decided[] = [];
    for (const target of targets) results.push(await decide(target, verb, grounds));
    setBusy(false);
    void readWaiting();
    const [only] = results;
    if (results.length === 1 && only?.is === 'lost') {
      // It stays in sight, and says who was faster.
      lost.value = new Set([...lost.value, only.review.id]);
      deciding.value = null;
      reload();
      return;
    }
    const kept = results.filter(({ is }) => is === 'failed' || is === 'changed');
    const lines = results.flatMap(lineOf);
    const done = announceDone(results, verb);
    if (!done && lines[0] && kept.length === 0) announce(lines[0]);
    setProblems(lines);
    if (kept.length > 0) {
      // The new state must be read first. After another failure the decision can be sent again.
      if (kept.some(({ is }) => is === 'changed')) deciding.value = null;
      reload();
    } else {
      deleteDraft(draftOf(id));
      for (const verb of ['approve', 'reject'] as const) deleteDraft(reasonDraftOf(id, verb));
      onDecided(targets.map(({ id }) => id));
    }
  }

  return (
    <section class="decide" ref={bar} aria-label={text.decision}>
      {problems.map((line) => (
        <p key={line} class="mistake" role="alert">
          <Visible text={line} />
        </p>
      ))}
      {refusal !== null && <p class="note">{refusal}</p>}
      {verb === null ? (
        <div class="buttons">
          {(['approve', 'reject'] as const).map((one) => (
            <button
              key={one}
              type="button"
              class={one === 'approve' ? 'button primary' : 'button danger'}
              aria-keyshortcuts={one === 'approve' ? 'A' : 'R'}
              disabled={one === 'approve' && !mayApprove}
              onClick={() => start(one)}
            >
              {text.send(one, targets.length)} <kbd>{one === 'approve' ? 'A' : 'R'}</kbd>
            </button>
          ))}
          {!isSeen && refusal === null && (
            <button type="button" class="button" onClick={showNext}>
              {text.readOn}
            </button>
          )}
        </div>
      ) : (
        <GroundsForm
          key={verb}
          reviewId={id}
          verb={verb}
          count={targets.length}
          grants={targets.flatMap(({ grants }) => grants)}
          busy={busy}
          onSend={(grounds) => send(grounds, verb)}
        />
      )}
    </section>
  );
}

/** False when none of them counted. */
function announceDone(results: readonly Decided[], verb: Verb): boolean {
  const { reviews: text } = words.value;
  const done = results.filter(({ is }) => is === 'decided').length;
  const counted = results.filter(({ is }) => is === 'counted').length;
  if (counted > 0) announce(text.counted(counted));
  else if (done > 0) announce(verb === 'approve' ? text.approved(done) : text.rejected(done));
  return counted + done > 0;
}

function lineOf(result: Decided): string[] {
  const { reviews: text } = words.value;
  switch (result.is) {
    case 'decided':
    case 'counted':
      return [];
    case 'changed':
      return [text.changed];
    case 'lost':
      return [text.lost(result.review.decidedBy?.name ?? '–', text.statuses[result.review.status])];
    case 'failed':
      return [problemText(result.error)];
  }
}
