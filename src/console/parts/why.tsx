import type { ComponentChildren } from 'preact';
import type { EnforcementAction, Violation } from '../../schemas/decisions.ts';
import type { Detection, Evaluation } from '../../schemas/evaluations.ts';
import type { ExplainedRule, ExplainedValue } from '../../schemas/explanations.ts';
import { decidingViolation } from '../data/policies/deciding-violation.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { SeverityName, StatusName, Time, Verdict } from './badges.tsx';
import { Link } from './link.tsx';
import { Visible } from './visible.tsx';

/** The facts about a decision: of a review that nobody explained, the violations alone. */
export interface Decided {
  enforcementAction: EnforcementAction;
  violations: readonly Violation[];
  sessionId: string | null;
  detections: readonly Detection[];
  explanation?: Evaluation['explanation'];
}

const ruleOf = (violation: Violation, { explanation }: Decided): ExplainedRule | undefined =>
  explanation?.policies
    .find(({ policyId }) => policyId === violation.policyId)
    ?.rules.find(({ ruleId }) => ruleId === violation.ruleId);

/** Which rule decided, and by what it saw; then what else was reported, and apart from it what policies that monitor would have done. */
export function Why({ decided }: { decided: Decided }) {
  const { why: text } = words.value;
  const { violations, enforcementAction, explanation } = decided;
  const enforced = violations.filter(({ mode }) => mode === 'ENFORCE');
  const monitored = violations.filter(({ mode }) => mode === 'MONITOR');
  const deciding = decidingViolation(violations, enforcementAction);
  const decides = deciding?.enforcementAction === enforcementAction;
  const others = enforced.filter((one) => !decides || one !== deciding);
  return (
    <div class="why">
      {decides ? (
        <Reported violation={deciding} decided={decided}>
          {text.by[enforcementAction]}{' '}
        </Reported>
      ) : (
        <p>{enforced.length === 0 && !explanation?.review ? text.noRule : text.settled[enforcementAction]}</p>
      )}
      <Approvals explanation={explanation} />
      {others.length > 0 && (
        <>
          <h4>{text.also}</h4>
          <ul class="violations">
            {others.map((violation) => (
              <li key={violation.id}>
                <Reported violation={violation} decided={decided} isFolded />
              </li>
            ))}
          </ul>
        </>
      )}
      {monitored.length > 0 && (
        <>
          <h4>{text.monitored}</h4>
          <p class="quiet">{text.monitoredMeans}</p>
          <ul class="violations">
            {monitored.map((violation) => (
              <li key={violation.id} class="monitored">
                <Reported violation={violation} decided={decided} isFolded />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface ReportedProps {
  violation: Violation;
  decided: Decided;
  /** Its condition is shown when it is asked for. */
  isFolded?: boolean;
  children?: ComponentChildren;
}

function Reported({ violation, decided, isFolded = false, children }: ReportedProps) {
  const { why: text, evaluation } = words.value;
  const { policyId, policyName, policyVersion, ruleId, ruleName, enforcementAction, severity } = violation;
  const rule = ruleOf(violation, decided);
  const line = new URLSearchParams({ tab: 'versions', show: String(policyVersion), rule: ruleId });
  const isMonitored = violation.mode === 'MONITOR';
  return (
    <>
      <p class={isFolded ? 'violation-name' : 'why-sentence'}>
        {children}
        <strong>
          <Visible text={ruleName} />
        </strong>{' '}
        {isFolded &&
          (isMonitored ? (
            <StatusName tone="quiet">{text.would[enforcementAction]}</StatusName>
          ) : (
            <Verdict action={enforcementAction} />
          ))}
        {isFolded && !isMonitored && <SeverityName severity={severity} />}
        {policyId !== '' && !isFolded && `${text.of} `}
        {policyId !== '' && (
          <Link href={`${to('policies', policyId)}?${line}`}>
            <Visible text={evaluation.policy(policyName, policyVersion)} />
          </Link>
        )}
      </p>
      <p>
        <Visible text={violation.message} />
      </p>
      {rule && isFolded && (
        <details>
          <summary>{text.condition}</summary>
          <Condition rule={rule} decided={decided} />
        </details>
      )}
      {rule && !isFolded && <Condition rule={rule} decided={decided} />}
    </>
  );
}

/** The expression, and each value that it read. */
function Condition({ rule, decided }: { rule: ExplainedRule; decided: Decided }) {
  const { why: text, severities, verdicts } = words.value;
  const { when, reads, result, raisedFrom, escalatedBy, strengthenedFrom } = rule;
  return (
    <div class="condition">
      <pre tabIndex={0} role="region" aria-label={text.condition}>
        <Visible text={when} />
      </pre>
      {result === 'FAILED' && <p>{text.failed}</p>}
      {reads.length > 0 && (
        <dl class="reads">
          {reads.map((value) => (
            <div key={value.path}>
              <dt>
                <code>
                  <Visible text={value.path} />
                </code>
              </dt>
              <dd>
                <ReadValue value={value} decided={decided} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {raisedFrom !== null && (
        <p>
          <Visible text={text.raised(severities[raisedFrom], escalatedBy)} />
        </p>
      )}
      {strengthenedFrom !== null && <p>{text.stricter(verdicts[strengthenedFrom])}</p>}
    </div>
  );
}

/** Characters of a value that are shown: the evaluation has all of it. */
const shownCharacters = 300;

function ReadValue({
  value: { path, value, why, actions },
  decided,
}: {
  value: ExplainedValue;
  decided: Decided;
}) {
  const { why: text } = words.value;
  const { sessionId, detections } = decided;
  const whole = JSON.stringify(value) ?? '';
  const places = path === 'dataTags' || path === 'detections' ? detections : [];
  return (
    <>
      {why === null ? (
        <code>
          <Visible text={whole.slice(0, shownCharacters)} />
          {whole.length > shownCharacters && '…'}
        </code>
      ) : (
        <span class="quiet">
          <Visible text={text.unknown(why)} />
        </span>
      )}
      {actions.length > 0 && sessionId !== null && (
        <>
          {' '}
          <Link href={to('sessions', sessionId)}>{text.actions(actions)}</Link>
        </>
      )}
      {places.slice(0, 10).map(({ type, in: field, path: place, start }) => (
        <span key={`${type} ${field} ${place} ${start}`} class="quiet">
          {' '}
          <Visible text={text.foundIn(type, `${field}${place}`)} />
        </span>
      ))}
    </>
  );
}

/** The people who changed what the rules said: by approving it, its like, or by rejecting it. */
function Approvals({ explanation }: { explanation: Decided['explanation'] }) {
  const { why: text } = words.value;
  if (!explanation) return null;
  const { review, grants } = explanation;
  const by = (name: string | null, at: string | null) => (
    <>
      <Visible text={name ?? '–'} />
      {at && (
        <>
          , <Time at={at} show="full" />
        </>
      )}
    </>
  );
  return (
    <>
      {review && review.role !== 'HOLDS' && (
        <p>
          <Link href={`${to('reviews')}?id=${review.reviewRequestId}`}>{text.roles[review.role]}</Link>{' '}
          {by(review.decidedBy, review.decidedAt)}
        </p>
      )}
      {grants.map((grant) => (
        <p key={grant.grantId}>
          <Link href={`${to('reviews')}?id=${grant.reviewRequestId}`}>{text.granted}</Link>{' '}
          <Visible text={grant.rule} />: {by(grant.decidedBy, grant.decidedAt)}
        </p>
      ))}
    </>
  );
}
