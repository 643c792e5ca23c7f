import { useState } from 'preact/hooks';
import { now } from '../../data/clock.ts';
import { count } from '../../data/format.ts';
import { useSimulation } from '../../data/simulation.ts';
import { Select } from '../../parts/field.tsx';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { ReplayResult } from './replay-result.tsx';

const dayMs = 86_400_000;
/** How much of the record is replayed, in days; null is all of it. */
const ranges = { day: 1, week: 7, month: 30, all: null } as const;
type Range = keyof typeof ranges;

interface PolicyReplayProps {
  /** Valid. */
  document: string;
  /** Of the policy whose place the document takes; a new one when absent. */
  policyId?: string | undefined;
}

/** What the document as it is now would have decided otherwise. */
export function PolicyReplay({ document, policyId }: PolicyReplayProps) {
  const { replay: text, common } = words.value;
  const [range, setRange] = useState<Range>('week');
  const [replayed, setReplayed] = useState(document);
  const { state, start, cancel } = useSimulation();
  function run() {
    const days = ranges[range];
    setReplayed(document);
    start({
      document,
      ...(policyId !== undefined && { policyId }),
      ...(days !== null && { filter: { from: new Date(now.peek() - days * dayMs).toISOString() } }),
    });
  }
  return (
    <section class="replay" aria-labelledby="replay">
      <h2 id="replay">{text.title}</h2>
      <p class="quiet">{text.about}</p>
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
            {text.start}
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
          {replayed !== document && <p class="note">{text.outdated}</p>}
          <ReplayResult result={state.result} differences={state.differences} />
        </>
      )}
    </section>
  );
}
