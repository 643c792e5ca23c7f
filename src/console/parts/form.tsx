import type { ComponentChildren } from 'preact';
import { useChange } from '../data/change.ts';
import { words } from '../strings/index.ts';
import { Problem } from './states.tsx';

interface FormProps {
  submitLabel: string;
  /** Whether what was entered can be sent. */
  isComplete?: boolean;
  onSubmit: () => Promise<unknown>;
  onCancel?: () => void;
  children: ComponentChildren;
}

/** Fields, what the service refused of them, and the buttons. */
export function Form({ submitLabel, isComplete = true, onSubmit, onCancel, children }: FormProps) {
  const { error, isBusy, run } = useChange();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(onSubmit);
      }}
    >
      {children}
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={!isComplete || isBusy}>
          {submitLabel}
        </button>
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {words.value.common.cancel}
          </button>
        )}
      </div>
    </form>
  );
}
