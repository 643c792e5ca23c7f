import { useState } from 'preact/hooks';
import type { RecordedEvaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { connections } from '../../data/connections.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Time, Verdict } from '../../parts/badges.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** In place of a key, which is shown once only. */
const keyPlace = 'asz_YOUR_KEY';

/** The last evaluation of an integration; null when there is none. */
export async function readLastCall(
  integrationId: string,
  options: { signal: AbortSignal; background?: boolean },
): Promise<RecordedEvaluation | null> {
  const query = { integrationId, page: 1, size: 1 };
  return (await call<RecordedEvaluation[]>('/v1/evaluations', { query, ...options })).data[0] ?? null;
}

interface ConnectAgentProps {
  integrationId: string;
  /** As it was when the page was loaded. */
  lastCall: RecordedEvaluation | null;
}

/** How an agent asks for decisions, until its first call has come; then when the last one came. */
export function ConnectAgent({ integrationId, lastCall }: ConnectAgentProps) {
  const { connect: text } = words.value.integrations;
  const [chosen, setChosen] = useState(connections[0]?.name ?? '');
  const { state } = useResource(
    `last call of ${integrationId}`,
    (options) => readLastCall(integrationId, options),
    { on: ['evaluations'] },
  );
  const last = state.is === 'ready' ? state.data : lastCall;
  if (last) {
    const { evaluationRunId, tool, enforcementAction, createdAt, phase } = last;
    return (
      <p class="facts" role="status">
        {text.last}{' '}
        <Link href={to('evaluations', evaluationRunId)}>
          <Visible text={tool ?? words.value.phases[phase]} />
        </Link>{' '}
        <Verdict action={enforcementAction} /> <Time at={createdAt} show="full" />
      </p>
    );
  }
  const lines = connections.find(({ name }) => name === chosen)?.lines(location.origin, keyPlace) ?? '';
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="quiet">{text.text}</p>
      <Select
        label={text.by}
        value={chosen}
        choices={connections.map(({ name }) => [name, name])}
        onChoose={setChosen}
      />
      <figure class="json">
        <figcaption>
          <span>{chosen}</span>
          <Copy text={lines} about={chosen} />
        </figcaption>
        <pre tabIndex={0} role="region" aria-label={chosen}>
          {lines}
        </pre>
      </figure>
      <p role="status">{text.waiting}</p>
    </section>
  );
}
