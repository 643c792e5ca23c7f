import { useState } from 'preact/hooks';
import type { DismissalReason, RecordedViolation, ResolutionType } from '../../../schemas/violations.ts';
import { announce } from '../../data/announcements.ts';
import { call } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { Select, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Problem } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface TriageProps {
  violation: RecordedViolation;
  onChange: () => void;
}

/** Triage by operators: being looked into, resolved, or dismissed. */
export function Triage({ violation, onChange }: TriageProps) {
  const { violations: text } = words.value;
  const [ending, setEnding] = useState<'resolve' | 'dismiss' | null>(null);
  const { error, isBusy, run } = useChange();

  async function send(verb: string, json: object) {
    const path = `/v1/violations/${violation.id}/${verb}`;
    const { data } = await call<RecordedViolation>(path, { method: 'POST', json });
    announce(text.changed(text.statuses[data.status]));
    setEnding(null);
    onChange();
  }
  return (
    <section class="decide">
      <Made violation={violation} />
      {ending === null ? (
        <div class="buttons">
          {violation.status === 'NEW' && (
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
          onSend={(json) => send(ending, json)}
          onCancel={() => setEnding(null)}
        />
      )}
      {error && <Problem error={error} />}
    </section>
  );
}

/** What was made of it so far. */
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
const dismissals: readonly DismissalReason[] = ['FALSE_POSITIVE', 'DUPLICATE', 'TEST', 'OTHER'];

function Ending({ verb, onSend, onCancel }: EndingProps) {
  const { violations: text } = words.value;
  const [type, setType] = useState<ResolutionType>('AGENT_CHANGED');
  const [reason, setReason] = useState<DismissalReason>('FALSE_POSITIVE');
  const [note, setNote] = useState('');
  const noted = note.trim() === '' ? {} : { note: note.trim() };
  return (
    <Form
      submitLabel={text[verb]}
      onSubmit={() => onSend(verb === 'resolve' ? { type, ...noted } : { reason, ...noted })}
      onCancel={onCancel}
    >
      {verb === 'resolve' ? (
        <Select
          label={text.resolution}
          value={type}
          choices={resolutions.map((one) => [one, text.resolutions[one]])}
          onChoose={setType}
        />
      ) : (
        <Select
          label={text.reason}
          value={reason}
          choices={dismissals.map((one) => [one, text.dismissals[one]])}
          onChoose={setReason}
        />
      )}
      <TextField label={text.note} value={note} maxLength={2_000} onInput={setNote} />
    </Form>
  );
}
