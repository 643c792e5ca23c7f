import type { ListedEvaluationSession } from '../../../features/sessions/schema.ts';
import { call } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Link } from '../../parts/link.tsx';
import { words } from '../../strings/index.ts';
import { SessionTable } from '../sessions.tsx';

const shown = 20;

/** The sessions that agents opened below this one. */
export function Children({ id }: { id: string }) {
  const { session: text } = words.value;
  const { state } = useResource(
    `below ${id}`,
    ({ signal, background }) =>
      call<ListedEvaluationSession[]>('/v1/evaluation-sessions', {
        query: { parentSessionId: id, size: shown },
        signal,
        background,
      }),
    { on: ['sessions'] },
  );
  if (state.is !== 'ready' || state.data.data.length === 0) return null;
  const { data, pagination } = state.data;
  return (
    <section aria-label={text.children}>
      <h2>{text.children}</h2>
      <SessionTable sessions={data} />
      {pagination.total > data.length && (
        <p class="quiet">
          <Link href={`${to('sessions')}?${new URLSearchParams({ parent: id })}`}>
            {text.allChildren(pagination.total)}
          </Link>
        </p>
      )}
    </section>
  );
}
