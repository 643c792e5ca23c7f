import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { words } from '../../strings/index.ts';
import { Problem } from '../states.tsx';
import { type ChoiceProps, Field, type FieldProps } from './field.tsx';

interface FrameProps {
  submitLabel: string;
  /** Whether what was entered can be sent. */
  isReady: boolean;
  isBusy: boolean;
  /** The problems that the service found, apart from what is said at a field. */
  error: ApiError | null;
  onSubmit: () => void;
  onCancel?: () => void;
  children: ComponentChildren;
}

/** Fields, what the service refused of them, and the buttons. The first field that was refused gets the focus. */
export function FormFrame(props: FrameProps) {
  const { submitLabel, isReady, isBusy, error, onSubmit, onCancel, children } = props;
  const { common } = words.value;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isBusy) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isBusy]);
  return (
    <form
      ref={element}
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={!isReady || isBusy}>
          {isBusy ? common.sending : submitLabel}
        </button>
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {common.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

interface FormProps extends Pick<FrameProps, 'submitLabel' | 'onCancel' | 'children'> {
  isComplete?: boolean;
  onSubmit: () => Promise<unknown>;
}

/** The same around fields of any kind. A form that creates or changes a resource is a table of fields: `FieldsForm`. */
export function Form({ isComplete = true, onSubmit, ...rest }: FormProps) {
  const { error, isBusy, run } = useChange();
  return (
    <FormFrame
      {...rest}
      isReady={isComplete}
      isBusy={isBusy}
      error={error}
      onSubmit={() => void run(onSubmit)}
    />
  );
}

export interface TextFieldProps {
  label: string;
  hint?: string;
  problem?: string | undefined;
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'email' | 'number' | 'datetime-local';
  maxLength?: number;
  required?: boolean;
  /** Lines; a field of one line without it. */
  rows?: number;
}

export function TextField({ label, hint, problem, onInput, rows, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} problem={problem} {...(hint && { hint })}>
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

type SelectProps<T extends string> = ChoiceProps<T> & Pick<FieldProps, 'hint' | 'problem'>;

export function Select<T extends string>(props: SelectProps<T>) {
  const { value, choices, onChoose, ...said } = props;
  return (
    <Field {...said}>
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
