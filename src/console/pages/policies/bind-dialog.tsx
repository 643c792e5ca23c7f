import { useState } from 'preact/hooks';
import type { Policy } from '../../../features/policies/schema.ts';
import type { PolicyMode } from '../../../schemas/decisions.ts';
import { ApiError, call } from '../../data/api.ts';
import { announce } from '../../data/change.ts';
import { may } from '../../data/operator/sign-in.ts';
import {
  type Binding,
  bindingPath,
  hasReported,
  modeOfDocument,
  partOfDocument,
  readPolicy,
} from '../../data/policies/policies.ts';
import { mustPropose, proposing, sendProposal } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Form, Select, TextField } from '../../parts/form/form.tsx';
import { Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { Replay } from './replay.tsx';

export interface BindTarget {
  policyId: string;
  policyName: string;
  /** Null for every integration. */
  integrationId: string | null;
  integrationName: string;
  /** How it applies until now; null when it does not. */
  current: Pick<Binding, 'mode' | 'params'> | null;
}

interface BindDialogProps {
  target: BindTarget;
  onEnd: (isChanged: boolean) => void;
}

/** Binds a policy, or changes how it is bound: mode, params, and before it is confirmed what it would have decided. */
export function BindDialog({ target, onEnd }: BindDialogProps) {
  const { bindings: text } = words.value;
  const { policyId, policyName, integrationId, integrationName, current } = target;
  const resource = useResource(`to bind ${policyId}`, async ({ signal }) => {
    const [policy, isKnown] = await Promise.all([
      readPolicy(policyId, signal),
      hasReported(policyId, signal),
    ]);
    return { policy, isKnown };
  });
  const title =
    integrationId === null ? text.houseTitle(policyName) : text.bindTitle(policyName, integrationName);
  return (
    <Dialog title={title} onClose={() => onEnd(false)}>
      {integrationId === null && <p class="note">{text.houseMeans}</p>}
      <Show resource={resource}>
        {({ policy, isKnown }) => (
          <BindForm policy={policy} isKnown={isKnown || current !== null} target={target} onEnd={onEnd} />
        )}
      </Show>
    </Dialog>
  );
}

interface BindFormProps extends BindDialogProps {
  policy: Policy;
  /** Whether it has reported something before. */
  isKnown: boolean;
}

function BindForm({ policy, isKnown, target, onEnd }: BindFormProps) {
  const { bindings: text, policies, proposals } = words.value;
  const { policyId, integrationId, current } = target;
  const own = modeOfDocument(policy.document);
  const [mode, setMode] = useState<PolicyMode | 'DOCUMENT'>(
    current === null ? (isKnown || own === 'MONITOR' ? 'DOCUMENT' : 'MONITOR') : (current.mode ?? 'DOCUMENT'),
  );
  const [written, setWritten] = useState(
    current && Object.keys(current.params).length > 0 ? JSON.stringify(current.params, null, 2) : '',
  );
  const [note, setNote] = useState('');
  const params = readParams(written);
  const declared = partOfDocument(policy.document, 'params');
  const bound = { ...(integrationId !== null && { integrationId }), policyId, params: params ?? {} };
  const isActive = policy.status === 'ACTIVE';

  async function send() {
    if (params === null)
      throw new ApiError(400, [{ code: 'invalid', message: text.notParams, path: '/params' }]);
    const json = { params, mode: mode === 'DOCUMENT' ? null : mode };
    if (mustPropose()) {
      const operation = integrationId === null ? ('bindHousePolicy' as const) : ('bindPolicy' as const);
      await sendProposal({ operation, ...bound, ...json }, note);
    } else {
      await call(bindingPath(integrationId, policyId), { method: 'PUT', json });
      announce(text.done(policy.name, target.integrationName));
    }
    onEnd(true);
  }
  return (
    <Form
      submitLabel={proposing(integrationId === null ? text.setHouse : current ? text.save : policies.bind)}
      onSubmit={send}
      onCancel={() => onEnd(false)}
    >
      {!isActive && <p class="note">{text.notActive}</p>}
      <Select<PolicyMode | 'DOCUMENT'>
        label={text.mode}
        value={mode}
        choices={[
          ['DOCUMENT', text.ofDocument(text.modes[own])],
          ['MONITOR', text.modes.MONITOR],
          ['ENFORCE', text.modes.ENFORCE],
        ]}
        onChoose={setMode}
      />
      {!isKnown && <p class="hint">{text.neverRun}</p>}
      {declared !== '' && (
        <>
          <TextField
            label={text.params}
            hint={text.paramsHint}
            value={written}
            rows={3}
            onInput={setWritten}
          />
          <pre class="declared" tabIndex={0} role="region" aria-label={text.declared}>
            <Visible text={declared} />
          </pre>
        </>
      )}
      {mustPropose() && (
        <TextField label={proposals.noteField} value={note} maxLength={500} onInput={setNote} />
      )}
      {may('policies:simulate') && (
        <Replay
          title={text.preview}
          about={text.previewMeans}
          startLabel={text.startPreview}
          request={{
            ...(isActive ? {} : { document: policy.document, policyId }),
            bindings: [{ ...bound, mode: 'ENFORCE' }],
            ...(integrationId !== null && { filter: { integrationId } }),
          }}
        />
      )}
    </Form>
  );
}

/** An object, which an empty text is too; null for anything else. */
function readParams(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
