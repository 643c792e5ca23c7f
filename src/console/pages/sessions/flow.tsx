import type { ListedEvaluation } from '../../../schemas/evaluations.ts';
import { to } from '../../data/route.ts';
import { type FlowOfData, flowOf, type Timeline } from '../../data/timeline.ts';
import { visibleText } from '../../data/visible-text.ts';
import { Tags, Verdict } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Columns that fit on one page. */
const mostSteps = 24;
const columnWidth = 92;
const laneHeight = 26;
const labelWidth = 168;
const headHeight = 64;
const longestTool = 13;

/** Which kinds of data went through which actions, as a diagram and as a table with the same content. */
export function Flow({ timeline }: { timeline: Timeline }) {
  const { flow: text } = words.value;
  const last: ListedEvaluation[] = [];
  for (let place = timeline.total - 1; place >= 0 && last.length < mostSteps; place--) {
    const entry = timeline.entries.get(place);
    if (entry?.phase === 'ACTION') last.unshift(entry);
  }
  const flow = flowOf(last);
  return (
    <section class="flow">
      <h2>{text.title}</h2>
      {flow.lanes.length === 0 ? (
        <p class="quiet">{text.none}</p>
      ) : (
        <>
          <p class="quiet">
            {text.text} {timeline.total > last.length && text.partial(last.length)}
          </p>
          <Diagram flow={flow} />
          <details>
            <summary>{text.asTable}</summary>
            <FlowTable flow={flow} />
          </details>
        </>
      )}
    </section>
  );
}

const short = (name: string): string => {
  const text = visibleText(name);
  return text.length > longestTool ? `${text.slice(0, longestTool - 1)}…` : text;
};

function Diagram({ flow: { steps, lanes } }: { flow: FlowOfData }) {
  const width = labelWidth + steps.length * columnWidth;
  const height = headHeight + lanes.length * laneHeight + 8;
  const center = (place: number): number => labelWidth + place * columnWidth + columnWidth / 2;
  const laneAt = (lane: number): number => headHeight + lane * laneHeight + laneHeight / 2;
  return (
    <div class="diagram" tabIndex={0} role="region" aria-label={words.value.flow.title}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {steps.map((step, place) => (
          <g key={step.id} class={`step ${step.action}`}>
            <rect
              x={center(place) - columnWidth / 2 + 4}
              y={2}
              width={columnWidth - 8}
              height={height - 4}
              rx={6}
            />
            <text x={center(place)} y={22} class="step-seq">
              {step.seq}
            </text>
            <text x={center(place)} y={40} class="step-tool">
              {short(step.tool)}
            </text>
            {step.action === 'BLOCK' || step.action === 'APPROVAL_REQUIRED' ? (
              <text x={center(place)} y={56} class="step-stopped">
                {words.value.verdicts[step.action]}
              </text>
            ) : null}
          </g>
        ))}
        {lanes.map((lane, row) => (
          <g key={lane.tag} class="lane">
            <text x={8} y={laneAt(row) + 4} class="lane-name">
              {lane.tag.length > 22 ? `${lane.tag.slice(0, 21)}…` : lane.tag}
            </text>
            {steps.slice(lane.from, -1).map((step, offset) => {
              const next = steps[lane.from + offset + 1];
              const isStopped = next?.action === 'BLOCK' || next?.action === 'APPROVAL_REQUIRED';
              return (
                <path
                  key={step.id}
                  class={isStopped ? 'edge stopped' : 'edge'}
                  d={`M${center(lane.from + offset)} ${laneAt(row)}H${center(lane.from + offset + 1)}`}
                />
              );
            })}
            {lane.at.map((place) => (
              <circle key={place} cx={center(place)} cy={laneAt(row)} r={5} class={steps[place]?.action} />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function FlowTable({ flow: { steps } }: { flow: FlowOfData }) {
  const { flow: text, now } = words.value;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.step}</th>
            <th scope="col">{now.columns.tool}</th>
            <th scope="col">{now.columns.verdict}</th>
            <th scope="col">{text.tags}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.id}>
              <th scope="row">
                <Link href={to('evaluations', step.id)}>{String(step.seq)}</Link>
              </th>
              <td>
                <Visible text={step.tool} />
              </td>
              <td>
                <Verdict action={step.action} />
              </td>
              <td>
                <Tags tags={step.tags} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
