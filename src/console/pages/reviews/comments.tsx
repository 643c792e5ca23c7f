import type { ReviewComment } from '../../../features/reviews/schema.ts';
import { call, callAll } from '../../data/api.ts';
import { deleteDraft, useDraft } from '../../data/drafts.ts';
import { may } from '../../data/operator.ts';
import { useResource } from '../../data/resource.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** What operators write to each other; the agent never sees it. */
export function ReviewComments({ id }: { id: string }) {
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
