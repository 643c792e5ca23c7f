import type { Violation } from '../../schemas/decisions.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { SeverityName, Verdict } from './badges.tsx';
import { Link } from './link.tsx';
import { Visible } from './visible.tsx';

/** What each rule reported, with the policy version that it stands in. */
export function Violations({ violations }: { violations: readonly Violation[] }) {
  const { evaluation: text } = words.value;
  if (violations.length === 0) return <p class="quiet">{text.noRule}</p>;
  return (
    <ul class="violations">
      {violations.map((violation) => (
        <li key={violation.id} class={violation.mode === 'MONITOR' ? 'monitored' : undefined}>
          <p class="violation-name">
            <strong>
              <Visible text={violation.ruleName} />
            </strong>
            <Verdict action={violation.enforcementAction} />
            <SeverityName severity={violation.severity} />
          </p>
          <p>
            <Visible text={violation.message} />
          </p>
          {violation.mode === 'MONITOR' && <p class="quiet">{text.monitored}</p>}
          {violation.policyId !== '' && (
            <p class="quiet">
              <Link href={to('policies', violation.policyId)}>
                <Visible text={text.policy(violation.policyName, violation.policyVersion)} />
              </Link>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
