import type { ComponentChildren } from 'preact';
import type { Pagination } from '../../client/index.ts';
import type { Response } from '../data/api.ts';
import { count } from '../data/format.ts';
import type { Resource } from '../data/resource.ts';
import { query, setQuery } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Choice, Field, Select } from './form.tsx';
import { Empty, Show } from './states.tsx';

export function Pager({ pagination: { total, page, size } }: { pagination: Pagination }) {
  const { common } = words.value;
  const pages = Math.max(1, Math.ceil(total / size));
  // The address may name a page that is not there, or not any more.
  const open = (next: number) => setQuery({ page: next <= 1 ? null : String(Math.min(next, pages)) });
  return (
    <nav class="pager" aria-label={common.page(page, pages)}>
      <span class="quiet">{common.total(count(total))}</span>
      {pages > 1 && (
        <>
          <button type="button" class="button small" disabled={page <= 1} onClick={() => open(page - 1)}>
            {common.newer}
          </button>
          <span>{common.page(page, pages)}</span>
          <button type="button" class="button small" disabled={page >= pages} onClick={() => open(page + 1)}>
            {common.older}
          </button>
        </>
      )}
    </nav>
  );
}

interface ListProps<T> {
  resource: Resource<Response<T[]>>;
  /** What an empty list means, and what to do about it. */
  none: string;
  hint?: string;
  children: (entries: readonly T[]) => ComponentChildren;
}

/** A page of a list in every state, with the way to its other pages. */
export function List<T>({ resource, none, hint, children }: ListProps<T>) {
  return (
    <Show resource={resource}>
      {({ data, pagination }) =>
        pagination.total === 0 ? (
          <Empty title={none}>{hint && <p>{hint}</p>}</Empty>
        ) : (
          <>
            {children(data)}
            <Pager pagination={pagination} />
          </>
        )
      }
    </Show>
  );
}

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
