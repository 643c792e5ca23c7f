import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type {
  PolicyComparison,
  PolicyDifference,
  PolicyProof,
  ProvedProperty,
} from '../../../features/policies/schema.ts';
import { type ApiError, apiErrorOf, call } from '../../data/api.ts';
import { useResource } from '../../data/resource.ts';
import { visibleText } from '../../data/visible-text.ts';
import { StatusName, type Tone, Verdict } from '../../parts/badges.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Json } from '../../parts/json.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

export interface ProveProps {
  /** Valid. */
  document: string;
  /** The policy whose current version it is compared with; absent for a new one. */
  policyId?: string;
  /** Shows a line of the document, from 1. */
  onLine: (line: number) => void;
}

type State =
  | { is: 'idle' }
  | { is: 'running' }
  | { is: 'done'; asked: string; proof: PolicyProof }
  | { is: 'failed'; error: ApiError };

const toneOf: Readonly<Record<ProvedProperty['verdict'] | PolicyComparison['verdict'], Tone>> = {
  PROVED: 'good',
  EQUAL: 'good',
  STRICTER: 'good',
  LAXER: 'bad',
  MIXED: 'bad',
  VIOLATED: 'bad',
  PROVER_ERROR: 'bad',
  UNKNOWN: 'quiet',
};

/** The findings for every action and session: the rules that add nothing, the properties, and what a draft lets through that was stopped before. */
export function Prove({ document, policyId, onLine }: ProveProps) {
  const { prove: text } = words.value;
  const [integrationId, setIntegration] = useState('');
  const [state, setState] = useState<State>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const heading = useId();
  const { state: named } = useResource('names of /v1/integrations', ({ signal }) =>
    call<{ id: string; name: string }[]>('/v1/integrations', {
      query: { size: 200 },
      signal,
      background: true,
    }),
  );
  const integrations = named.is === 'ready' ? named.data.data : [];
  const asked = `${integrationId} ${document}`;

  async function run() {
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    setState({ is: 'running' });
    const query = { ...(policyId && { policyId }), ...(integrationId && { integrationId }) };
    try {
      const options = { method: 'POST', yaml: document, query, signal: ended.signal } as const;
      const { data } = await call<PolicyProof>('/v1/policies/prove', options);
      setState({ is: 'done', asked, proof: data });
    } catch (error) {
      if (!ended.signal.aborted) setState({ is: 'failed', error: apiErrorOf(error) });
    }
  }
  return (
    <section class="replay" aria-labelledby={heading}>
      <h2 id={heading}>{text.title}</h2>
      <p class="quiet">{text.about}</p>
      <div class="buttons">
        <Select
          label={text.company}
          value={integrationId}
          choices={[
            ['', text.alone],
            ...integrations.map(({ id, name }) => [id, text.inForceFor(visibleText(name))] as const),
          ]}
          onChoose={setIntegration}
        />
        <button type="button" class="button" disabled={state.is === 'running'} onClick={() => void run()}>
          {text.start}
        </button>
      </div>
      <div aria-live="polite" aria-busy={state.is === 'running'}>
        {state.is === 'running' && <p class="quiet">{text.running}</p>}
        {state.is === 'failed' && <Problem error={state.error} retry={() => void run()} />}
        {state.is === 'done' && (
          <>
            {state.asked !== asked && <p class="note">{text.outdated}</p>}
            <Found proof={state.proof} onLine={onLine} />
          </>
        )}
      </div>
    </section>
  );
}

function Found({ proof, onLine }: { proof: PolicyProof; onLine: ProveProps['onLine'] }) {
  const { prove: text } = words.value;
  const { monitored, rules, properties, comparison } = proof;
  return (
    <div class="proof-result">
      {monitored && <p class="note">{text.monitored}</p>}
      {comparison && <Comparison of={comparison} />}
      <h3>{text.rules(rules.length)}</h3>
      {rules.length > 0 && (
        <ul class="issues warn">
          {rules.map(({ line, path, message }) => (
            <li key={`${path} ${message}`}>
              <Line line={line} onLine={onLine} /> <Visible text={message} />
            </li>
          ))}
        </ul>
      )}
      <h3>{text.properties(properties.length)}</h3>
      <ul class="proved-properties">
        {properties.map((property) => (
          <li key={property.name}>
            <StatusName tone={toneOf[property.verdict]}>{text.verdicts[property.verdict]}</StatusName>{' '}
            <Line line={property.line} onLine={onLine} /> <Visible text={property.name} />
            <Because of={property} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Line({ line, onLine }: { line: number; onLine: ProveProps['onLine'] }) {
  return (
    <button type="button" class="link" onClick={() => onLine(line)}>
      {words.value.policies.line(line)}
    </button>
  );
}

/** The action that shows it, or why nothing is known. */
function Because({ of: { verdict, given, steps, enforcementAction, notModelled } }: { of: ProvedProperty }) {
  const { prove: text } = words.value;
  if (verdict === 'PROVED') return null;
  return (
    <>
      {verdict === 'UNKNOWN' && !(given && notModelled.length === 0) && <Unknown notModelled={notModelled} />}
      {verdict === 'PROVER_ERROR' && <p class="quiet">{text.proverError}</p>}
      {given && (
        <>
          <p class="quiet">
            {verdict === 'UNKNOWN' ? text.mayStop : text.shownBy}{' '}
            {enforcementAction && <Verdict action={enforcementAction} />}
          </p>
          <Json value={given} label={text.given} />
        </>
      )}
      {steps && (
        <>
          <p class="quiet">{text.afterSteps}</p>
          <Json value={steps} label={text.steps} />
        </>
      )}
    </>
  );
}

function Unknown({ notModelled }: { notModelled: readonly string[] }): ComponentChildren {
  const { prove: text } = words.value;
  return (
    <p class="quiet">
      {notModelled.length === 0 ? text.tooLong : <Visible text={text.notModelled(notModelled.join(', '))} />}
    </p>
  );
}

function Comparison({ of: { verdict, stricter, laxer, notModelled } }: { of: PolicyComparison }) {
  const { prove: text } = words.value;
  return (
    <>
      <p class="replay-summary">
        <StatusName tone={toneOf[verdict]}>{text.comparisons[verdict]}</StatusName>
      </p>
      {verdict === 'UNKNOWN' && <Unknown notModelled={notModelled} />}
      {[laxer, stricter].map((difference, index) =>
        difference ? <Difference key={index} of={difference} /> : null,
      )}
    </>
  );
}

function Difference({ of: { before, after, given } }: { of: PolicyDifference }) {
  const { prove: text } = words.value;
  return (
    <div class="proof-difference">
      <p>
        {text.before} <Verdict action={before} /> {text.now} <Verdict action={after} />
      </p>
      <Json value={given} label={text.given} />
    </div>
  );
}
