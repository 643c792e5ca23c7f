import type { SimulationDifference, SimulationResult } from '../../../schemas/replays.ts';
import { count } from '../../data/format.ts';
import { to } from '../../data/route.ts';
import { Verdict } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { Numbers } from '../../parts/numbers.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface ReplayResultProps {
  result: SimulationResult;
  differences: readonly SimulationDifference[];
}

export function ReplayResult({ result, differences }: ReplayResultProps) {
  const { replay: text } = words.value;
  const rules = result.rules.filter(({ before, after }) => before !== after);
  return (
    <>
      <p class="replay-summary" role="status">
        {text.summary(result.changed, count(result.changed), count(result.evaluations))}
      </p>
      <Numbers
        of={[
          [text.stricter, count(result.stricter)],
          [text.looser, count(result.looser)],
          [text.sessions, count(result.sessionsChanged)],
        ]}
      />
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
      {differences.length > 0 && (
        <Table headings={[text.action, text.time, text.was, text.would, text.because]}>
          {differences.map((difference) => (
            <Row key={difference.evaluationRunId} {...difference} />
          ))}
        </Table>
      )}
      {result.differencesShown < result.changed && (
        <p class="quiet">{text.more(count(result.differencesShown))}</p>
      )}
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
