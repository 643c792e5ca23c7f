import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type {
  SimulationDifference,
  SimulationLine,
  SimulationRequest,
  SimulationResult,
} from '../../../schemas/replays.ts';
import { ApiError, apiErrorOf, openStream } from '../../data/api.ts';
import { now } from '../../data/clock.ts';
import { count } from '../../data/format.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { to } from '../../data/route.ts';
import { Numbers, Time, Verdict } from '../../parts/badges.tsx';
import { Select } from '../../parts/form/form.tsx';
import { Link } from '../../parts/link.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

type SimulationState =
  | { is: 'idle' }
  | { is: 'running'; evaluations: number; total: number | null }
  | { is: 'done'; result: SimulationResult; differences: readonly SimulationDifference[] }
  | { is: 'failed'; error: ApiError };

interface Simulation {
  state: SimulationState;
  start(request: SimulationRequest): void;
  /** Also ends it on the service. */
  cancel(): void;
}

/** One replay of the record at a time. It ends with the page. */
function useSimulation(): Simulation {
  const [state, setState] = useState<SimulationState>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function cancel(): void {
    running.current?.abort();
    setState({ is: 'idle' });
  }

  function start(request: SimulationRequest): void {
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    setState({ is: 'running', evaluations: 0, total: null });
    // Buffered lines of a cancelled replay are still read; they must not change the state.
    const show = (next: SimulationState) => {
      if (!ended.signal.aborted) setState(next);
    };
    follow(request, ended.signal, show).catch((error: unknown) =>
      show({ is: 'failed', error: apiErrorOf(error) }),
    );
  }
  return { state, start, cancel };
}

async function follow(
  request: SimulationRequest,
  signal: AbortSignal,
  setState: (state: SimulationState) => void,
): Promise<void> {
  const differences: SimulationDifference[] = [];
  for await (const line of linesOf(request, signal)) {
    if (line.type === 'progress') setState({ is: 'running', ...line });
    else if (line.type === 'difference') differences.push(line);
    else if (line.type === 'error') throw new ApiError(500, [{ code: 'internal', message: line.message }]);
    else return setState({ is: 'done', result: line, differences });
  }
  // It ended without its last line: the connection broke.
  throw new ApiError(0, []);
}

async function* linesOf(request: SimulationRequest, signal: AbortSignal): AsyncGenerator<SimulationLine> {
  const reader = await openStream('/v1/policies/simulate', {
    accept: 'application/x-ndjson',
    json: request,
    signal,
  });
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as SimulationLine;
  }
}

/** Decisions that are listed. The service names more differences, because not each of them is another decision. */
const mostShown = 200;
const mostNamed = 1_000;

const sum = (counts: readonly { evaluations: number }[]): number =>
  counts.reduce((all, { evaluations }) => all + evaluations, 0);

interface ReplayResultProps {
  result: SimulationResult;
  differences: readonly SimulationDifference[];
}

function ReplayResult({ result, differences }: ReplayResultProps) {
  const { replay: text } = words.value;
  const rules = result.rules.filter(({ before, after }) => before !== after);
  // Another severity or label is no other decision.
  const changed = sum(result.changes.filter(({ from, to }) => from !== to));
  const decided = differences.filter(({ from, to }) => from.enforcementAction !== to?.enforcementAction);
  const shown = decided.slice(0, mostShown);
  return (
    <>
      <p class="replay-summary" role="status">
        {text.summary(changed, count(changed), count(sum(result.integrations)))}
      </p>
      <Numbers
        of={[
          [text.stricter, count(result.stricter)],
          [text.looser, count(result.looser)],
          [text.alike, count(result.changed - changed)],
        ]}
      />
      {result.integrations.length === 0 ? (
        <p class="note">{text.nowhere}</p>
      ) : (
        <Table headings={[text.integration, text.evaluations, text.decisionsChanged]}>
          {result.integrations.map(({ integrationId, evaluations, decisionsChanged }) => (
            <tr key={integrationId}>
              <th scope="row">
                <Link href={to('integrations', integrationId)}>
                  <Visible text={nameOfIntegration(integrationId) ?? integrationId} />
                </Link>
              </th>
              <td>{count(evaluations)}</td>
              <td>{count(decisionsChanged)}</td>
            </tr>
          ))}
        </Table>
      )}
      {result.notEvaluated > 0 && <p class="note">{text.notEvaluated(count(result.notEvaluated))}</p>}
      {rules.length > 0 && (
        <Table headings={[text.rule, text.findingsBefore, text.findingsAfter]}>
          {rules.map(({ policyId, policyName, ruleId, before, after }) => (
            <tr key={`${policyId} ${ruleId}`}>
              <th scope="row">
                <Visible text={ruleId} /> <span class="quiet">{policyName}</span>
              </th>
              <td>{count(before)}</td>
              <td>{count(after)}</td>
            </tr>
          ))}
        </Table>
      )}
      {shown.length > 0 && (
        <Table headings={[text.action, text.time, text.was, text.would, text.because]}>
          {shown.map((difference) => (
            <Row key={difference.evaluationRunId} {...difference} />
          ))}
        </Table>
      )}
      {shown.length < changed && <p class="quiet">{text.more(count(shown.length))}</p>}
    </>
  );
}

function Row({ evaluationRunId, tool, at, from, to: would, because }: SimulationDifference) {
  const { replay: text, policies } = words.value;
  const { none } = words.value.common;
  return (
    <tr>
      <th scope="row">
        <Link href={to('evaluations', evaluationRunId)}>
          <Visible text={tool || none} />
        </Link>
      </th>
      <td>
        <Time at={at} />
      </td>
      <td>
        <Verdict action={from.enforcementAction} />
      </td>
      <td>{would ? <Verdict action={would.enforcementAction} /> : text.wouldNotCome}</td>
      <td>
        {because.map(({ policyId, ruleId, change }) => (
          <span key={`${policyId} ${ruleId}`}>
            <Visible text={ruleId} /> <span class="quiet">({policies.changeKinds[change]})</span>{' '}
          </span>
        ))}
      </td>
    </tr>
  );
}

const dayMs = 86_400_000;
/** How much of the record is replayed, in days; null is all of it. */
const ranges = { day: 1, week: 7, month: 30, all: null } as const;
type Range = keyof typeof ranges;

interface ReplayProps {
  /** Valid; the range is chosen here. */
  request: SimulationRequest;
  title: string;
  about: string;
  startLabel: string;
}

/** The recorded evaluations that would have been decided otherwise. */
export function Replay({ request, title, about, startLabel }: ReplayProps) {
  const { replay: text, common } = words.value;
  const [range, setRange] = useState<Range>('week');
  const asked = JSON.stringify(request);
  const [replayed, setReplayed] = useState(asked);
  const { state, start, cancel } = useSimulation();
  const heading = useId();
  function run() {
    const days = ranges[range];
    setReplayed(asked);
    const from = days !== null && { from: new Date(now.peek() - days * dayMs).toISOString() };
    start({ ...request, filter: { ...request.filter, ...from }, differences: mostNamed });
  }
  return (
    <section class="replay" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <p class="quiet">{about}</p>
      <div class="buttons">
        <Select
          label={text.range}
          value={range}
          choices={(Object.keys(ranges) as Range[]).map((one) => [one, text.ranges[one]])}
          onChoose={setRange}
        />
        {state.is === 'running' ? (
          <button type="button" class="button" onClick={cancel}>
            {common.cancel}
          </button>
        ) : (
          <button type="button" class="button" onClick={run}>
            {startLabel}
          </button>
        )}
      </div>
      {state.is === 'running' && (
        <label class="replay-progress">
          <progress value={state.total === null ? undefined : state.evaluations} max={state.total ?? 1} />
          <span>
            {state.total === null
              ? text.starting
              : text.progress(count(state.evaluations), count(state.total))}
          </span>
        </label>
      )}
      {state.is === 'failed' && <Problem error={state.error} retry={run} />}
      {state.is === 'done' && (
        <>
          {replayed !== asked && <p class="note">{text.outdated}</p>}
          <ReplayResult result={state.result} differences={state.differences} />
        </>
      )}
    </section>
  );
}
