import { query, setQuery } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Choice, Field, Select } from './field.tsx';

interface FilterProps<T extends string> {
  label: string;
  /** Of the parameter in the address. */
  name: string;
  value: T | undefined;
  choices: readonly T[];
  names: Readonly<Record<T, string>>;
  /** Many choices fold away. */
  folded?: boolean;
}

/** Another filter has other pages. */
const firstPage = { page: null, before: null };

/** Narrows a list to one choice, or to none of them. */
export function Filter<T extends string>({ label, name, value, choices, names, folded }: FilterProps<T>) {
  const Shown = folded ? Select : Choice;
  return (
    <Shown<T | 'ALL'>
      label={label}
      value={value ?? 'ALL'}
      choices={[['ALL', words.value.common.all], ...choices.map((one) => [one, names[one]] as const)]}
      onChoose={(next) => setQuery({ [name]: next === 'ALL' ? null : next, ...firstPage })}
    />
  );
}

/** Narrows a list to what is typed, once it is entered. */
export function SearchFilter({ label, name }: { label: string; name: string }) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="search"
          value={query.value.get(name) ?? ''}
          maxLength={200}
          onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim(), ...firstPage })}
        />
      )}
    </Field>
  );
}
