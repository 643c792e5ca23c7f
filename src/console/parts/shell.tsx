import { useEffect, useRef } from 'preact/hooks';
import { announcement } from '../data/announcements.ts';
import { asked, whenConfirmedElsewhere } from '../data/confirmation.ts';
import { followLive } from '../data/live.ts';
import { operator, readOperator } from '../data/operator.ts';
import { type Question, question } from '../data/question.ts';
import { watchReviews } from '../data/reviews-waiting.ts';
import { to } from '../data/route.ts';
import { confirmSignIn, identityProviderHref, signInState, signOut } from '../data/sign-in.ts';
import { Mark } from '../identity/mark.tsx';
import { Page } from '../pages/page.tsx';
import { KeyForm } from '../pages/sign-in.tsx';
import { words } from '../strings/index.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { Link } from './link.tsx';
import { Navigation } from './navigation.tsx';
import { Visible } from './visible.tsx';

export function Shell() {
  useEffect(watchReviews, []);
  useEffect(followLive, []);
  useEffect(() => void readOperator(), []);
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
        <Page />
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
