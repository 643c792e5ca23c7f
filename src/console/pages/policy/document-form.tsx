import { useEffect, useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from '../../data/api.ts';
import { deleteDraft, useDraft } from '../../data/drafts.ts';
import { may } from '../../data/operator.ts';
import { usePolicyCheck } from '../../data/policy-check.ts';
import { Problem } from '../../parts/states.tsx';
import { words } from '../../strings/index.ts';
import { CheckResult } from './check-result.tsx';
import { Editor } from './editor.tsx';
import { PolicyReplay } from './replay.tsx';

interface PolicyDocumentFormProps {
  document: string;
  saveLabel: string;
  /** Whether it can be saved as it is. */
  isNew?: boolean;
  /** Absent for a new one. */
  policyId?: string;
  version?: number;
  onSave: (document: string) => Promise<void>;
}

/** The editor, with what the service finds while a person types. */
export function PolicyDocumentForm({
  document,
  saveLabel,
  isNew = false,
  policyId,
  version,
  onSave,
}: PolicyDocumentFormProps) {
  const { policies: text } = words.value;
  // Of this version alone: saved over a later one, it would undo that.
  const draftKey = `policy ${policyId} ${version}`;
  const [draft, setDraft] = useDraft(draftKey, document);
  const [opened] = useState(draft);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const checked = usePolicyCheck(draft);
  const isChanged = draft !== document;
  useWarningBeforeLeaving(isChanged);

  async function save() {
    setBusy(true);
    setError(null);
    try {
      await onSave(draft);
      deleteDraft(draftKey);
    } catch (failure) {
      setError(apiErrorOf(failure));
    } finally {
      setBusy(false);
    }
  }
  const maySave =
    may('policies:write') && (isChanged || isNew) && checked.is === 'checked' && checked.last.valid && !busy;
  return (
    <div class="policy-document">
      <div class="policy-editor">
        <Editor document={opened} issues={checked.last} onChange={setDraft} />
        <p class="quiet">{text.escapeHint}</p>
      </div>
      <div class="policy-check">
        <div class="buttons">
          <button type="button" class="button primary" disabled={!maySave} onClick={save}>
            {saveLabel}
          </button>
          {isChanged && <span class="quiet">{text.unsaved}</span>}
          {!may('policies:write') && <span class="quiet">{words.value.forbidden}</span>}
        </div>
        {error && <Problem error={error} />}
        <CheckResult checked={checked} />
      </div>
      {may('policies:simulate') && checked.last?.valid && (
        <PolicyReplay document={draft} policyId={policyId} />
      )}
    </div>
  );
}

function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}
