import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { startClock } from './data/clock.ts';
import { resume, signInState } from './data/operator/sign-in.ts';
import { restoreScroll } from './data/route.ts';
import { SignInPage } from './pages/sign-in.tsx';
import { Shell } from './parts/frame/shell.tsx';
import { Loading } from './parts/states.tsx';
import { words } from './strings/index.ts';

/** Nothing of the service is shown, or kept in the page, without a sign-in. */
function Console() {
  const state = signInState.value;
  switch (state.is) {
    case 'unknown':
      return (
        <main class="sign-in">
          <Loading />
        </main>
      );
    case 'offline':
      return <Offline />;
    case 'out':
      return <SignInPage because={state.because} />;
    case 'in':
      return <Shell />;
  }
}

const retryMs = 3_000;

function Offline() {
  useEffect(() => {
    const timer = setInterval(() => void resume(), retryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="sign-in">
      <div class="problem" role="alert">
        <p>{words.value.errors.offline}</p>
        <button type="button" class="button" onClick={() => void resume()}>
          {words.value.common.retry}
        </button>
      </div>
    </main>
  );
}

startClock();
restoreScroll();
void resume();
// A link that is pasted where the console is open already changes the fragment alone, which loads nothing.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#sign-in=')) void resume();
});
render(<Console />, document.getElementById('console') as HTMLElement);
