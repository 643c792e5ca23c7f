import { signal } from '@preact/signals';
import { may } from '../data/operator.ts';
import { waiting } from '../data/reviews-waiting.ts';
import { segments, to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Icon } from './icons.tsx';
import { Link } from './link.tsx';

const groups = {
  work: ['now', 'reviews', 'sessions', 'evaluations', 'violations', 'statistics'],
  rules: ['policies', 'proposals', 'lists', 'integrations', 'entities', 'webhooks'],
  people: ['operators', 'audit', 'record', 'settings'],
} as const;
type PageName = (typeof groups)[keyof typeof groups][number];

/** Pages that not every role may read, and what they need. */
const needs: Partial<Record<PageName, string>> = {
  webhooks: 'webhooks:read',
  operators: 'operators:read',
  audit: 'audit:read',
  record: 'audit:read',
};

const isOffered = (page: PageName): boolean => {
  const permission = needs[page];
  return permission === undefined || may(permission);
};

/** Where the window is narrow, pages are unfolded on this one: opening another folds them. */
const unfoldedOn = signal<string | null>(null);

export function Navigation() {
  const { nav } = words.value;
  const shown = segments.value.join('/');
  const isOpen = unfoldedOn.value === shown;
  const toggle = () => {
    unfoldedOn.value = isOpen ? null : shown;
  };
  return (
    <nav aria-label={nav.label} class={isOpen ? 'open' : undefined}>
      <button
        type="button"
        class="button small menu"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={toggle}
      >
        {nav.menu}
        <Waiting />
      </button>
      <div id="pages" class="pages">
        {(['work', 'rules', 'people'] as const).map((group) => (
          <div key={group}>
            <h2 id={`group-${group}`}>{nav.groups[group]}</h2>
            <ul aria-labelledby={`group-${group}`}>
              {groups[group].filter(isOffered).map((page) => (
                <Item key={page} page={page} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

function Item({ page }: { page: PageName }) {
  const shown = segments.value[0] ?? 'now';
  return (
    <li>
      <Link href={to(page)} current={shown === page}>
        <Icon name={page} />
        <span>{words.value.nav[page]}</span>
        {page === 'reviews' && <Waiting />}
      </Link>
    </li>
  );
}

function Waiting() {
  const total = waiting.value?.total ?? 0;
  if (total === 0) return null;
  return (
    <span class="count">
      <span aria-hidden="true">{total}</span>
      <span class="visually-hidden">{words.value.nav.waiting(total)}</span>
    </span>
  );
}
