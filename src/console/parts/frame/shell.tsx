import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announcement, type Question, question } from '../../data/change.ts';
import { followLive, liveOpened } from '../../data/live.ts';
import { useShortcuts } from '../../data/operator/preferences.ts';
import {
  asked,
  confirmSignIn,
  identityProviderHref,
  operator,
  readOperator,
  signInState,
  signOut,
  whenConfirmedElsewhere,
} from '../../data/operator/sign-in.ts';
import { proposal } from '../../data/policies/propose.ts';
import { useResource } from '../../data/resource.ts';
import { waiting, watchReviews } from '../../data/reviews/waiting.ts';
import { go, segments, to } from '../../data/route.ts';
import { Mark } from '../../identity/mark.tsx';
import { Page } from '../../pages/page.tsx';
import { KeyForm } from '../../pages/sign-in.tsx';
import { loadWords, words } from '../../strings/index.ts';
import { Dialog } from '../form/dialog.tsx';
import { Icon } from '../icon.tsx';
import { Link } from '../link.tsx';
import { Show } from '../states.tsx';
import { Visible } from '../visible.tsx';
import type { ProposeDialog } from './dialogs.tsx';
import { isOffered, type PageName, pageGroups, pageKeys } from './navigation.ts';

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
              {pageGroups[group].filter(isOffered).map((page) => (
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
  const permitted = useResource('operator', async () => {
    await Promise.all([readOperator(), liveOpened()]);
  });
  const { nav } = words.value;
  const main = useRef<HTMLElement>(null);
  useCommands();
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
        <button
          type="button"
          class="search-all"
          aria-keyshortcuts="Control+K"
          onClick={() => openCommand('palette')}
        >
          <Icon name="search" size={16} />
          <span>{nav.find}</span>
          <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <Navigation />
        <div class="side-end">
          <a href="/docs" target="_blank" rel="noreferrer">
            <Icon name="api" />
            <span>{nav.api}</span>
          </a>
          <p class="who quiet">
            <Visible text={operator.value?.name ?? '…'} />
          </p>
          <button type="button" class="key-list-button" onClick={() => openCommand('keys')}>
            <Icon name="keys" />
            <span>{nav.keys}</span>
            <kbd>?</kbd>
          </button>
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
      <Command />
      {question.value && <Ask question={question.value} />}
      <Proposal />
      {asked.value && <Confirmation onEnd={asked.value} />}
    </div>
  );
}

/** The proposal that is being written. Its form is loaded with the first one: Now has no form. */
function Proposal() {
  const asked = proposal.value;
  const [loaded, setLoaded] = useState<{ Shown: typeof ProposeDialog } | null>(null);
  useEffect(() => {
    if (asked) void import('./dialogs.tsx').then((dialogs) => setLoaded({ Shown: dialogs.ProposeDialog }));
  }, [asked]);
  return asked && loaded && <loaded.Shown proposing={asked} />;
}

const isMac = /Mac|iP/.test(navigator.platform);

type CommandName = 'palette' | 'keys';
const command = signal<{ name: CommandName; Shown: ComponentType<{ onClose: () => void }> } | null>(null);

/** The search and the list of keys are loaded when they are first asked for. */
async function openCommand(name: CommandName): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  await loadWords();
  const { Palette, KeyList } = await import('./dialogs.tsx');
  const Shown = name === 'palette' ? Palette : KeyList;
  if (!document.querySelector('dialog[open]')) command.value = { name, Shown };
}

function Command() {
  if (!command.value) return null;
  const { Shown } = command.value;
  const close = () => {
    command.value = null;
  };
  return <Shown onClose={close} />;
}

/** Ctrl+K, `?`, and G with the letter of a page. */
function useCommands() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      void openCommand('palette');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const pages = Object.entries(pageKeys) as [PageName, string][];
  useShortcuts({
    '?': () => void openCommand('keys'),
    ...Object.fromEntries(
      pages.filter(([page]) => isOffered(page)).map(([page, key]) => [`g ${key}`, () => go(to(page))]),
    ),
  });
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

function Ask({ question: { text, yes, answer } }: { question: Question }) {
  const { common } = words.value;
  return (
    <Dialog title={text} onClose={() => answer(false)}>
      <div class="buttons">
        <button type="button" class="button danger" onClick={() => answer(true)}>
          {yes}
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          {common.cancel}
        </button>
      </div>
    </Dialog>
  );
}
