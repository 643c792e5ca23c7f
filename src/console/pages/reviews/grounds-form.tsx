import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReviewReason } from '../../../features/reviews/schema.ts';
import type { ReviewGrant } from '../../../schemas/grants.ts';
import { type Grounds, receivedBy, type Verb } from '../../data/decide.ts';
import { useDraft } from '../../data/drafts.ts';
import { deciding, draftOf } from '../../data/review-choice.ts';
import { Field, Select } from '../../parts/field.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Longest comment that the service takes. */
const longestComment = 2_000;

const reasons: Readonly<Record<Verb, readonly ReviewReason[]>> = {
  approve: ['EXPECTED', 'CONFIRMED_WITH_REQUESTER', 'FALSE_POSITIVE', 'OTHER'],
  reject: ['WRONG_RECIPIENT', 'TOO_MUCH_DATA', 'NOT_AUTHORIZED', 'SUSPECTED_INJECTION', 'OTHER'],
};

interface GroundsFormProps {
  reviewId: string;
  verb: Verb;
  /** Reviews that are decided at once. */
  count: number;
  /** What approving lets later actions do. */
  grants: readonly ReviewGrant[];
  busy: boolean;
  onSend: (grounds: Grounds) => void;
}

/** Why, with what the agent will receive. */
export function GroundsForm({ reviewId, verb, count, grants, busy, onSend }: GroundsFormProps) {
  const { reviews: text, common } = words.value;
  const [comment, setComment] = useDraft(draftOf(reviewId), '');
  const [reason, setReason] = useState<ReviewReason | 'NONE'>('NONE');
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
      <Select
        label={text.word}
        value={reason}
        choices={[['NONE', '–'], ...reasons[verb].map((one) => [one, text.words[one]] as const)]}
        onChoose={setReason}
      />
      <div class="receives">
        <h3>{text.receives}</h3>
        <p class="quiet">{verb === 'approve' ? text.approveMeans : text.rejectMeans}</p>
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
