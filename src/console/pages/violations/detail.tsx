import { useState } from 'preact/hooks';
import type {
  DismissalReason,
  RecordedViolation,
  ResolutionType,
} from '../../../features/violations/schema.ts';
import { dismissalReasons } from '../../../features/violations/words.ts';
import { call } from '../../data/api.ts';
import { announce, useChange } from '../../data/change.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { SeverityName, StatusName, Time, type Tone, Verdict } from '../../parts/badges.tsx';
import { Form, Select, TextField } from '../../parts/form/form.tsx';
import { Details } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

export const violationTones: Readonly<Record<RecordedViolation['status'], Tone>> = {
  NEW: 'new',
  ACKNOWLEDGED: 'busy',
  RESOLVED: 'good',
  DISMISSED: 'quiet',
};

interface TriageProps {
  violation: RecordedViolation;
  onChange: () => void;
}

interface StepsProps {
  canAcknowledge: boolean;
  /** Rejects when the service refuses. */
  send: (verb: string, json: object) => Promise<void>;
}

/** The steps of triage: being looked into, resolved, or dismissed. */
function Steps({ canAcknowledge, send }: StepsProps) {
  const { violations: text } = words.value;
  const [ending, setEnding] = useState<'resolve' | 'dismiss' | null>(null);
  const { error, isBusy, run } = useChange();
  return (
    <>
      {ending === null ? (
        <div class="buttons">
          {canAcknowledge && (
            <button
              type="button"
              class="button primary"
              disabled={isBusy}
              onClick={() => void run(() => send('acknowledge', {}))}
            >
              {text.acknowledge}
            </button>
          )}
          <button type="button" class="button" onClick={() => setEnding('resolve')}>
            {text.resolve}
          </button>
          <button type="button" class="button" onClick={() => setEnding('dismiss')}>
            {text.dismiss}
          </button>
        </div>
      ) : (
        <Ending
          key={ending}
          verb={ending}
          onSend={async (json) => {
            await send(ending, json);
            setEnding(null);
          }}
          onCancel={() => setEnding(null)}
        />
      )}
      {error && <Problem error={error} />}
    </>
  );
}

/** Triage of one violation. */
function Triage({ violation, onChange }: TriageProps) {
  const { violations: text } = words.value;

  async function send(verb: string, json: object) {
    const path = `/v1/violations/${violation.id}/${verb}`;
    const { data } = await call<RecordedViolation>(path, { method: 'POST', json });
    announce(text.changed(text.statuses[data.status]));
    onChange();
  }
  return (
    <section class="decide">
      <Made violation={violation} />
      <Steps canAcknowledge={violation.status === 'NEW'} send={send} />
    </section>
  );
}

/** The triage so far. */
function Made({
  violation: { triagedBy, triagedAt, resolution, dismissal, note },
}: {
  violation: RecordedViolation;
}) {
  const { violations: text } = words.value;
  if (!triagedBy || !triagedAt) return null;
  return (
    <>
      <p class="quiet">
        <Visible text={triagedBy.name} />, <Time at={triagedAt} show="full" />
      </p>
      {resolution && <p>{text.resolutions[resolution]}</p>}
      {dismissal && <p>{text.dismissals[dismissal]}</p>}
      {note && (
        <blockquote>
          <Visible text={note} />
        </blockquote>
      )}
    </>
  );
}

interface EndingProps {
  verb: 'resolve' | 'dismiss';
  onSend: (json: object) => Promise<void>;
  onCancel: () => void;
}

const resolutions: readonly ResolutionType[] = [
  'AGENT_CHANGED',
  'POLICY_CHANGED',
  'ACCESS_REVOKED',
  'INCIDENT',
  'ACCEPTED',
  'OTHER',
];

function Ending({ verb, onSend, onCancel }: EndingProps) {
  const { violations: text } = words.value;
  const [type, setType] = useState<ResolutionType | ''>('');
  const [reason, setReason] = useState<DismissalReason | ''>('');
  const [note, setNote] = useState('');
  const noted = note.trim() === '' ? {} : { note: note.trim() };
  return (
    <Form
      submitLabel={text[verb]}
      isComplete={(verb === 'resolve' ? type : reason) !== ''}
      onSubmit={() => onSend(verb === 'resolve' ? { type, ...noted } : { reason, ...noted })}
      onCancel={onCancel}
    >
      {verb === 'resolve' ? (
        <Select
          label={text.resolution}
          value={type}
          choices={[['', '–'], ...resolutions.map((one) => [one, text.resolutions[one]] as const)]}
          onChoose={setType}
        />
      ) : (
        <Select
          label={text.reason}
          value={reason}
          choices={[['', '–'], ...dismissalReasons.map((one) => [one, text.dismissals[one]] as const)]}
          onChoose={setReason}
        />
      )}
      <TextField label={text.note} value={note} maxLength={2_000} onInput={setNote} />
    </Form>
  );
}

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
            words.value.proposals.policy,
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
        {violation.dismissal === 'FALSE_POSITIVE' && policyId && (
          <Link href={`${to('policies', policyId)}?${new URLSearchParams({ rule: violation.ruleId })}`}>
            {text.replayException}
          </Link>
        )}
      </p>
    </section>
  );
}

interface SeveralProps {
  violations: readonly RecordedViolation[];
  onEnd: () => void;
}

/** All that are selected, listed, for one decision. Each is changed for itself. */
export function SeveralViolations({ violations, onEnd }: SeveralProps) {
  const { violations: text } = words.value;
  const isNew = violations.filter(({ status }) => status === 'NEW');

  async function send(verb: string, json: object, which: readonly RecordedViolation[]) {
    const sent = await Promise.allSettled(
      which.map(({ id }) => call(`/v1/violations/${id}/${verb}`, { method: 'POST', json })),
    );
    const done = sent.filter(({ status }) => status === 'fulfilled').length;
    announce(text.changedMany(done, which.length - done));
    onEnd();
  }
  return (
    <article class="review">
      <header class="review-title">
        <h2>{text.selected(violations.length)}</h2>
        <button type="button" class="link" onClick={onEnd}>
          {text.clear}
        </button>
      </header>
      <ul class="violations">
        {violations.map(({ id, ruleName, message, tool, status }) => (
          <li key={id}>
            <p class="violation-name">
              <strong>
                <Visible text={ruleName} />
              </strong>
              <StatusName tone={violationTones[status]}>{text.statuses[status]}</StatusName>
            </p>
            <p>
              <Visible text={`${tool ?? ''} ${message}`} />
            </p>
          </li>
        ))}
      </ul>
      <section class="decide">
        <Steps
          canAcknowledge={isNew.length > 0}
          send={(verb, json) => send(verb, json, verb === 'acknowledge' ? isNew : violations)}
        />
      </section>
    </article>
  );
}
