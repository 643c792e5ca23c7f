import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { StatsSeries } from '../../../features/stats/schema.ts';
import type { StatsDimension } from '../../../features/stats/words.ts';
import { call } from '../../data/api.ts';
import { dayAndTimeOf, shortId } from '../../data/format.ts';
import { listNamed } from '../../data/names.ts';
import { useResource } from '../../data/resource.ts';
import { choiceInUrl, type Period, periods, query, rangeInUrl, setQuery } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { words } from '../../strings/index.ts';
import { Choice, Field } from '../form/field.tsx';
import { Select } from '../form/form.tsx';

/** Another filter has other pages and rows. */
const firstPage = { page: null, before: null, id: null };

interface FilterProps<T extends string> {
  label: string;
  /** The name of the parameter in the address. */
  name: string;
  value: T | undefined;
  choices: readonly T[];
  names: Readonly<Record<T, string>>;
  /** Many choices fold away. */
  folded?: boolean;
}

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

interface SearchFilterProps {
  label: string;
  name: string;
  /** Values that there are, offered while a person types. */
  offers?: readonly string[];
  onFocus?: () => void;
}

/**
 * Narrows a list to a value: at once when it is one of those that are offered, otherwise when it is entered. Text that
 * is not entered yet is kept as a draft: the list may load again, and draw its filters again, while a person types.
 */
export function SearchFilter({ label, name, offers = [], onFocus }: SearchFilterProps) {
  const listId = useId();
  const inUrl = query.value.get(name) ?? '';
  const [draft, setDraft] = useState({ text: inUrl, of: inUrl });
  const apply = (value: string) => {
    setDraft({ text: value, of: value.trim() });
    setQuery({ [name]: value.trim(), ...firstPage });
  };
  return (
    <Field label={label}>
      {(ids) => (
        <>
          <input
            {...ids}
            type="search"
            list={offers.length > 0 ? listId : undefined}
            value={draft.of === inUrl ? draft.text : inUrl}
            maxLength={200}
            onFocus={onFocus}
            onInput={({ currentTarget: { value } }) => {
              if (value === '' || offers.includes(value)) apply(value);
              else setDraft({ text: value, of: inUrl });
            }}
            onChange={(event) => apply(event.currentTarget.value)}
          />
          {offers.length > 0 && (
            <datalist id={listId}>
              {offers.map((offer) => (
                <option key={offer} value={offer} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

interface SeenFilterProps {
  label: string;
  name: string;
  by: StatsDimension;
}

/** The same, with the values that most evaluations of the last 30 days had. Read when somebody is about to type: the rows come first. */
export function SeenFilter({ by, ...rest }: SeenFilterProps) {
  const [offers, setOffers] = useState<readonly string[]>([]);
  async function read() {
    const { data } = await call<StatsSeries[]>('/v1/stats', { query: { by, unit: 'day' }, background: true });
    // Rules are counted as policy/rule.
    const names = data.map(({ name }) => (by === 'rule' ? name.slice(name.lastIndexOf('/') + 1) : name));
    setOffers([...new Set(names)]);
  }
  // A value can be typed when the service offers none.
  return <SearchFilter {...rest} offers={offers} onFocus={() => void read().catch(() => undefined)} />;
}

interface NamedFilterProps {
  label: string;
  /** The name of the parameter in the address, whose value is an id. */
  name: string;
  /** The path of the list in the API. */
  path: string;
}

/** Narrows a list to what one integration, entity or other named thing did. */
export function NamedFilter({ label, name, path }: NamedFilterProps) {
  const { state } = useResource(`names of ${path}`, () => listNamed(path));
  const value = query.value.get(name);
  const known = state.is === 'ready' ? state.data : [];
  const isKnown = value === null || known.some(({ id }) => id === value);
  return (
    <Select
      label={label}
      value={value ?? 'ALL'}
      choices={[
        ['ALL', words.value.common.all],
        ...(isKnown ? [] : [[value, `…${shortId(value)}`] as const]),
        ...known.map(({ id, name: shown }) => [id, visibleText(shown)] as const),
      ]}
      onChoose={(next) => setQuery({ [name]: next === 'ALL' ? null : next, ...firstPage })}
    />
  );
}

export const IntegrationFilter = () => (
  <NamedFilter
    label={words.value.evaluations.columns.integration}
    name="integration"
    path="/v1/integrations"
  />
);

export const EntityFilter = () => (
  <NamedFilter label={words.value.session.entity} name="entity" path="/v1/entities" />
);

/** A period up to now, or two times of the viewer's clock. */
export function PeriodFilter() {
  const { period: text } = words.value;
  const period = choiceInUrl('period', periods);
  const range = rangeInUrl();
  const isOwn = period === undefined && (range.from !== undefined || range.to !== undefined);
  const [edits, setEdits] = useState(false);
  const choose = (next: Period | 'ALL' | 'OWN') => {
    setEdits(next === 'OWN');
    if (next === 'OWN') return;
    setQuery({ period: next === 'ALL' ? null : next, from: null, to: null, ...firstPage });
  };
  return (
    <>
      <Select<Period | 'ALL' | 'OWN'>
        label={text.label}
        value={edits || isOwn ? 'OWN' : (period ?? 'ALL')}
        choices={[
          ['ALL', words.value.common.all],
          ...periods.map((one) => [one, text.names[one]] as const),
          ['OWN', isOwn && !edits ? ownText(range) : text.own],
        ]}
        onChoose={choose}
      />
      {(edits || isOwn) && (
        <>
          <Moment label={text.from} name="from" value={range.from} />
          <Moment label={text.to} name="to" value={range.to} />
        </>
      )}
    </>
  );
}

const ownText = ({ from, to }: { from?: string | undefined; to?: string | undefined }): string =>
  `${from ? dayAndTimeOf(from) : ''} – ${to ? dayAndTimeOf(to) : ''}`;

/** In the viewer's time zone, as the field of the browser takes it. */
function localOf(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Moment({ label, name, value }: { label: string; name: string; value: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = localOf(value);
  }, [value]);
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          ref={input}
          type="datetime-local"
          onChange={({ currentTarget: { value: typed } }) =>
            setQuery({
              [name]: typed === '' ? null : new Date(typed).toISOString(),
              period: null,
              ...firstPage,
            })
          }
        />
      )}
    </Field>
  );
}

/** A page with filters, order and columns, under a name that an operator gave. All of it is in the address. */
export interface SavedView {
  name: string;
  /** The address in the console: `/console/evaluations?decision=BLOCK`. */
  href: string;
}

const viewsKey = 'assize.views';

function readViews(): SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(viewsKey) ?? '[]');
    const isView = (one: SavedView) => typeof one?.name === 'string' && one.href?.startsWith('/console/');
    return Array.isArray(found) ? found.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Kept in this browser, as the other preferences are. */
export const views = signal<readonly SavedView[]>(readViews());

function keepViews(next: readonly SavedView[]): void {
  views.value = next;
  localStorage.setItem(viewsKey, JSON.stringify(next));
}

/** Replaces a view of the same name on the same page. */
export function saveView(view: SavedView): void {
  keepViews([...views.value.filter((one) => !isSame(one, view)), view]);
}

export function removeView(view: SavedView): void {
  keepViews(views.value.filter((one) => !isSame(one, view)));
}

const pathOf = ({ href }: SavedView): string => href.split('?')[0] ?? href;
const isSame = (one: SavedView, other: SavedView): boolean =>
  one.name === other.name && pathOf(one) === pathOf(other);
