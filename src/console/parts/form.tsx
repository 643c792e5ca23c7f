import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
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

interface FieldProps {
  label: string;
  hint?: string;
  children: (ids: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint && { 'aria-describedby': hintId }) })}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  hint?: string;
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'email' | 'number' | 'datetime-local';
  maxLength?: number;
  required?: boolean;
  /** Lines; a field of one line without it. */
  rows?: number;
}

export function TextField({ label, hint, onInput, rows, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} {...(hint && { hint })}>
      {(ids) =>
        rows === undefined ? (
          // Preact has a type for each kind of input, and none for several.
          <input
            {...ids}
            {...rest}
            type={type as 'text'}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        ) : (
          <textarea
            {...ids}
            {...rest}
            rows={rows}
            spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChoose: (value: T) => void;
}

/** Few choices, all in sight. */
export function Choice<T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{label}</legend>
      {choices.map(([choice, name]) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChoose(choice)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

export function Select<T extends string>({ label, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
          {choices.map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
