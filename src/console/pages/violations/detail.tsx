import type { RecordedViolation } from '../../../schemas/violations.ts';
import { call } from '../../data/api.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { may } from '../../data/operator.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { SeverityName, StatusName, Verdict } from '../../parts/badges.tsx';
import { Details } from '../../parts/details.tsx';
import { Link } from '../../parts/link.tsx';
import { Show } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { violationTones } from './tones.ts';
import { Triage } from './triage.tsx';

export function ViolationDetail({ id, onChange }: { id: string; onChange: () => void }) {
  const resource = useResource(
    `violation ${id}`,
    async ({ signal }) => (await call<RecordedViolation>(`/v1/violations/${id}`, { signal })).data,
  );
  const changed = () => {
    resource.reload();
    onChange();
  };
  return (
    <Show resource={resource}>
      {(violation) => (
        <article class="review">
          <Title violation={violation} />
          {may('violations:triage') && <Triage violation={violation} onChange={changed} />}
          <Facts violation={violation} />
        </article>
      )}
    </Show>
  );
}

function Title({ violation }: { violation: RecordedViolation }) {
  const { violations: text } = words.value;
  const { ruleName, enforcementAction, severity, status, message } = violation;
  return (
    <header class="review-title">
      <h2>
        <Visible text={ruleName} />
      </h2>
      <p class="facts">
        <StatusName tone={violationTones[status]}>{text.statuses[status]}</StatusName>
        <Verdict action={enforcementAction} />
        <SeverityName severity={severity} />
      </p>
      <p>
        <Visible text={message} />
      </p>
    </header>
  );
}

function Facts({ violation }: { violation: RecordedViolation }) {
  const { violations: text, evaluation } = words.value;
  const { evaluationRunId, sessionId, entityId, policyId, policyName, policyVersion, tool } = violation;
  return (
    <section>
      <Details
        of={[
          [text.tool, tool && <Visible text={tool} />],
          [
            words.value.integrations.one,
            <Visible key="" text={nameOfIntegration(violation.integrationId) ?? ''} />,
          ],
          [text.reported, <Time key="" at={violation.createdAt} show="full" />],
          [
            evaluation.policies,
            policyId && (
              <Link href={to('policies', policyId)}>
                <Visible text={evaluation.policy(policyName, policyVersion)} />
              </Link>
            ),
          ],
        ]}
      />
      <p class="links">
        <Link href={to('evaluations', evaluationRunId)}>{text.evaluation}</Link>
        {sessionId && <Link href={to('sessions', sessionId)}>{text.session}</Link>}
        {entityId && <Link href={to('entities', entityId)}>{text.entity}</Link>}
      </p>
    </section>
  );
}
