import { useId, useRef, useState } from 'preact/hooks';
import type { Integration } from '../../../features/integrations/schema.ts';
import { ApiError, type ApiProblem, callAll } from '../../data/api.ts';
import { useChange } from '../../data/change.ts';
import { useUnsaved } from '../../data/operator/drafts.ts';
import { useResource } from '../../data/resource.ts';
import { words } from '../../strings/index.ts';
import { Show } from '../states.tsx';
import { Visible } from '../visible.tsx';
import { FormFrame, Select, TextField, type TextFieldProps } from './form.tsx';

type Value = string | boolean | readonly string[];
type Values<V> = { readonly [Name in keyof V]: Value };
type NamesOf<V, Kind> = { [Name in keyof V]: V[Name] extends Kind ? Name : never }[keyof V] & string;

interface Named {
  label: string;
  hint?: string | undefined;
  /** The place in the request that the field fills, as errors name it; `/` and the name of the field when absent. */
  at?: string;
  /** Whether the form can be sent only with it. */
  required?: boolean;
}
type Choices<T> = readonly (readonly [value: T, name: string, means?: string])[];

/** A field of a form: what it is called, how it is entered, and the value that it fills. */
type FieldOf<V> =
  | (Named & Pick<TextFieldProps, 'type' | 'maxLength' | 'rows'> & { name: NamesOf<V, string> })
  /** One of few. */
  | { [Name in NamesOf<V, string>]: Named & { name: Name; choices: Choices<V[Name]> } }[NamesOf<V, string>]
  | (Named & { name: NamesOf<V, boolean> })
  /** Any number of few. */
  | (Named & { name: NamesOf<V, readonly string[]>; anyOf: Choices<string> | 'integrations' });

interface FieldsFormProps<V> {
  /** The fields that a form with these values has; false for one that it has not. */
  fields: (values: V) => readonly (FieldOf<V> | false)[];
  initial: V;
  submitLabel: string;
  /** Receives the values that were entered, and the part of it that differs. False keeps it: the change was called off. */
  onSubmit: (values: V, changes: Partial<V>) => Promise<unknown>;
  onCancel?: () => void;
  /** Whether there is something to send only once a field was changed. */
  needsChange?: boolean;
  isAllowed?: boolean;
}

/** The form of every page that creates or changes something: a table of fields, with what the service refused at its field. */
export function FieldsForm<V extends Values<V>>(props: FieldsFormProps<V>) {
  const { fields, initial, submitLabel, onSubmit, onCancel, needsChange = false, isAllowed = true } = props;
  const [changes, setChanges] = useState<Partial<V>>({});
  const { error, isBusy, run } = useChange();
  const isSending = useRef(false);
  const isChanged = Object.keys(changes).length > 0;
  useUnsaved(isChanged, isSending);
  const values = { ...initial, ...changes };
  const shown = fields(values).filter((field) => field !== false);
  const refused = shown.map((field) => problemOf(error, field));
  const others = error?.problems.filter((problem) => !refused.includes(problem)) ?? [];
  const isComplete = shown.every(({ name, required }) => !required || !isEmpty(values[name]));

  function set(name: keyof V, value: Value): void {
    const { [name]: _, ...rest } = changes;
    const isSame = JSON.stringify(value) === JSON.stringify(initial[name]);
    setChanges((isSame ? rest : { ...changes, [name]: value }) as Partial<V>);
  }
  async function send(): Promise<void> {
    isSending.current = true;
    try {
      if ((await onSubmit(values, changes)) !== false) setChanges({});
    } finally {
      isSending.current = false;
    }
  }
  return (
    <FormFrame
      submitLabel={submitLabel}
      isReady={isAllowed && isComplete && (isChanged || !needsChange)}
      isBusy={isBusy}
      error={
        error && (others.length > 0 || error.problems.length === 0)
          ? new ApiError(error.status, others)
          : null
      }
      onSubmit={() => void run(send)}
      {...(onCancel && { onCancel })}
    >
      {shown.map((field, place) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name]}
          problem={refused[place]}
          onInput={(value) => set(field.name, value)}
        />
      ))}
    </FormFrame>
  );
}

const isEmpty = (value: Value): boolean =>
  typeof value === 'boolean' ? !value : (typeof value === 'string' ? value.trim() : value).length === 0;

/** The problem of a field, or of a part of it. */
const problemOf = (error: ApiError | null, { name, at = `/${name}` }: { name: string; at?: string }) =>
  error?.problems.find(({ path }) => path === at || path?.startsWith(`${at}/`));

interface OneFieldProps<V> {
  field: FieldOf<V>;
  value: Value;
  problem: ApiProblem | undefined;
  onInput: (value: Value) => void;
}

function OneField<V>({ field, value, problem, onInput }: OneFieldProps<V>) {
  const { label, hint } = field;
  const said = { label, problem: problem?.message, ...(hint !== undefined && { hint }) };
  if ('anyOf' in field)
    return <AnyOf {...said} of={field.anyOf} chosen={value as readonly string[]} onChoose={onInput} />;
  if (typeof value === 'boolean') {
    return (
      <label class="check field">
        <input type="checkbox" checked={value} onChange={() => onInput(!value)} /> {label}
      </label>
    );
  }
  if ('choices' in field) {
    const choices = field.choices as Choices<string>;
    return <Select {...said} value={value as string} choices={choices} onChoose={onInput} />;
  }
  const {
    label: _,
    hint: __,
    at: ___,
    name: ____,
    ...input
  } = field as Named & Pick<TextFieldProps, 'type' | 'maxLength' | 'rows'> & { name: string };
  return <TextField {...said} {...input} value={value as string} onInput={onInput} />;
}

interface AnyOfProps {
  label: string;
  hint?: string;
  problem: string | undefined;
  of: Choices<string> | 'integrations';
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}

function AnyOf({ label, hint, problem, of, chosen, onChoose }: AnyOfProps) {
  const id = useId();
  return (
    <fieldset class="field" aria-describedby={problem && id}>
      <legend>{label}</legend>
      {of === 'integrations' ? (
        <Integrations chosen={chosen} onChoose={onChoose} />
      ) : (
        <Checks of={of} chosen={chosen} onChoose={onChoose} />
      )}
      {hint && <p class="hint">{hint}</p>}
      {problem && (
        <p class="mistake" id={id} role="alert">
          <Visible text={problem} />
        </p>
      )}
    </fieldset>
  );
}

function Checks({ of, chosen, onChoose }: Pick<AnyOfProps, 'chosen' | 'onChoose'> & { of: Choices<string> }) {
  const toggle = (one: string) =>
    onChoose(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <div class="checks">
      {of.map(([one, name, means]) => (
        <label key={one} class="check">
          <input type="checkbox" checked={chosen.includes(one)} onChange={() => toggle(one)} />{' '}
          <Visible text={name} /> {means && <span class="quiet">{means}</span>}
        </label>
      ))}
    </div>
  );
}

/** The integrations that are not deleted, and those that were chosen before. */
function Integrations({ chosen, onChoose }: Pick<AnyOfProps, 'chosen' | 'onChoose'>) {
  const { deletedState } = words.value.integrations;
  const resource = useResource('integrations to choose from', ({ signal }) =>
    callAll<Integration>('/v1/integrations', { signal }),
  );
  return (
    <Show resource={resource}>
      {(integrations) => (
        <Checks
          of={integrations
            .filter(({ id, status }) => status === 'ACTIVE' || chosen.includes(id))
            .map(({ id, name, status }) =>
              status === 'DELETED' ? [id, name, `(${deletedState})`] : [id, name],
            )}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </Show>
  );
}
