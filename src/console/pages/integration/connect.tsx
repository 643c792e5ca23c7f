import { useState } from 'preact/hooks';
import type { RecordedEvaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Time, Verdict } from '../../parts/badges.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Choice } from '../../parts/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Lines to paste that ask for a decision, by what sends them. */
export function linesFor(key: string): (readonly [title: string, lines: string])[] {
  const url = location.origin;
  return [
    [
      'curl',
      `curl -s ${url}/v1/evaluate \\
  -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
  -d '{"input":{"tool":"web.search","query":"opening hours"}}'`,
    ],
    [
      'TypeScript',
      `import { createAssizeClient } from 'assize-client';
const client = createAssizeClient({ url: '${url}', apiKey: '${key}' });
const { enforcementAction } = await client.evaluate({ input: { tool: 'web.search' } });`,
    ],
    ['Claude Code', `ASSIZE_URL=${url} ASSIZE_KEY=${key} assize hook install claude-code --yes`],
    [
      'MCP',
      JSON.stringify(
        {
          mcpServers: {
            assize: { type: 'http', url: `${url}/v1/mcp`, headers: { Authorization: `Bearer ${key}` } },
          },
        },
        null,
        2,
      ),
    ],
  ];
}

/** In place of a key, which is shown once only. */
const keyPlace = 'asz_YOUR_KEY';

/** How an agent asks for decisions, until its first call has come; then when the last one came. */
export function ConnectAgent({ integrationId }: { integrationId: string }) {
  const { connect: text } = words.value.integrations;
  const all = linesFor(keyPlace);
  const [chosen, setChosen] = useState(all[0]?.[0] ?? '');
  const { state } = useResource(
    `last call of ${integrationId}`,
    async ({ signal, background }) => {
      const query = { integrationId, page: 1, size: 1 };
      return (
        (await call<RecordedEvaluation[]>('/v1/evaluations', { query, signal, background })).data[0] ?? null
      );
    },
    { on: ['evaluations'] },
  );
  if (state.is !== 'ready') return null;
  if (state.data) {
    const { evaluationRunId, tool, enforcementAction, createdAt, phase } = state.data;
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
  const lines = all.find(([title]) => title === chosen)?.[1] ?? '';
  return (
    <section class="card" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p class="quiet">{text.text}</p>
      <Choice
        label={text.by}
        value={chosen}
        choices={all.map(([title]) => [title, title])}
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
