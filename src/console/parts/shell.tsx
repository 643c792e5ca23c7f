import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announcement } from '../data/change.ts';
import { asked, whenConfirmedElsewhere } from '../data/confirmation.ts';
import { followLive } from '../data/live.ts';
import { may, operator, readOperator } from '../data/operator.ts';
import { type Question, question } from '../data/question.ts';
import { useResource } from '../data/resource.ts';
import { waiting, watchReviews } from '../data/reviews-waiting.ts';
import { segments, to } from '../data/route.ts';
import { confirmSignIn, identityProviderHref, signInState, signOut } from '../data/sign-in.ts';
import { Mark } from '../identity/mark.tsx';
import { Page } from '../pages/page.tsx';
import { KeyForm } from '../pages/sign-in.tsx';
import { words } from '../strings/index.ts';
import { Dialog } from './dialog.tsx';
import { Link } from './link.tsx';
import { Show } from './states.tsx';
import { Visible } from './visible.tsx';

const paths = {
  now: 'M3 12h4l3-7 4 14 3-7h4',
  reviews: 'M5 4h14v16H5zM9 12l2 2 4-4',
  sessions: 'M6 4v16M6 7h12M6 12h8M6 17h10',
  evaluations:
    'M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21M8 10.500l2 2 3.500-3.500',
  violations: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  statistics: 'M4 20h16M7 20v-7M12 20V5M17 20v-10',
  policies: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  proposals: 'M4 5h16v11H9l-5 4zM12 8v5M9.500 10.500h5',
  integrations: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1',
  entities: 'M4 20V6l8-3 8 3v14M9 20v-5h6v5M9 10h.5M14.5 10h.5',
  webhooks: 'M4 12h10M10 7l5 5-5 5M19 5v14',
  operators:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17 14c2.5.5 4 2.5 4 6',
  audit: 'M5 3h11l3 3v15H5zM9 9h6M9 13h6M9 17h4',
  record: 'M8 7a3 3 0 0 1 3-3h2a3 3 0 0 1 0 6M16 17a3 3 0 0 1-3 3h-2a3 3 0 0 1 0-6M12 9v6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6',
  api: 'M8 6l-5 6 5 6M16 6l5 6-5 6',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
} as const;
type IconName = keyof typeof paths;

function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

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

function Navigation() {
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

export function Shell() {
  useEffect(watchReviews, []);
  useEffect(followLive, []);
  // Until it is known what the operator may do, a page would say that it may do nothing, and ignore its keys.
  const permitted = useResource('operator', readOperator);
  const { nav } = words.value;
  const main = useRef<HTMLElement>(null);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="shell">
      <a href="#main" class="skip" onClick={skip}>
        {nav.skip}
      </a>
      <header class="side">
        <Link href={to('now')} class="brand">
          <Mark />
          <span class="brand-name">Assize</span>
        </Link>
        <Navigation />
        <div class="side-end">
          <a href="/docs" target="_blank" rel="noreferrer">
            <Icon name="api" />
            <span>{nav.api}</span>
          </a>
          {operator.value && (
            <p class="who quiet">
              <Visible text={operator.value.name} />
            </p>
          )}
          <button type="button" onClick={() => void signOut()}>
            <Icon name="signOut" />
            <span>{nav.signOut}</span>
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Show resource={permitted}>{() => <Page />}</Show>
      </main>
      <Announcements />
      {question.value && <Ask question={question.value} />}
      {asked.value && <Confirmation onEnd={asked.value} />}
    </div>
  );
}

function Announcements() {
  return (
    <div class="announcements" role="status" aria-live="polite">
      {announcement.value && (
        <p key={announcement.value.id}>
          <Visible text={announcement.value.text} />
        </p>
      )}
    </div>
  );
}

function Confirmation({ onEnd }: { onEnd: (confirmed: boolean) => void }) {
  const { signIn } = words.value;
  const state = signInState.value;
  if (state.is === 'in' && state.until.signedInWith === 'IDENTITY_PROVIDER') {
    return <ProviderConfirmation onEnd={onEnd} />;
  }
  async function confirm(key: string) {
    await confirmSignIn(key);
    onEnd(true);
  }
  return (
    <Dialog title={signIn.confirmTitle} onClose={() => onEnd(false)}>
      <p>{signIn.confirmText}</p>
      <KeyForm submitLabel={signIn.confirm} onKey={confirm} onCancel={() => onEnd(false)} />
    </Dialog>
  );
}

/** In a tab of its own, so that what was typed here stays. */
function ProviderConfirmation({ onEnd }: { onEnd: (confirmed: boolean) => void }) {
  const { signIn, common } = words.value;
  useEffect(() => whenConfirmedElsewhere(() => onEnd(true)), []);
  return (
    <Dialog title={signIn.confirmTitle} onClose={() => onEnd(false)}>
      <p>{signIn.confirmAtProvider}</p>
      <div class="buttons">
        <a
          class="button primary"
          target="_blank"
          rel="noreferrer"
          href={identityProviderHref(to('confirmed'), { again: true })}
        >
          {signIn.confirm}
        </a>
        <button type="button" class="button" onClick={() => onEnd(false)}>
          {common.cancel}
        </button>
      </div>
    </Dialog>
  );
}

function Ask({ question: { text, answer } }: { question: Question }) {
  const { common } = words.value;
  return (
    <Dialog title={text} onClose={() => answer(false)}>
      <div class="buttons">
        <button type="button" class="button danger" onClick={() => answer(true)}>
          {common.yes}
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          {common.cancel}
        </button>
      </div>
    </Dialog>
  );
}
