import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Visible } from '../visible.tsx';

export interface FieldProps {
  label: string;
  hint?: string;
  /** Why the service refused what was entered. */
  problem?: string | undefined;
  children: (ids: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ComponentChildren;
}

/** A name, its input, and what is to be said of it. The first load has this file alone: the other parts of forms come later. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const described = [problem && problemId, hint && hintId].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(problem && { 'aria-invalid': true }),
      })}
      {problem && (
        <p class="mistake" id={problemId} role="alert">
          <Visible text={problem} />
        </p>
      )}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  choices: readonly (readonly [T, string, ...unknown[]])[];
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
