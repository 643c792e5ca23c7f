import { useEffect } from 'preact/hooks';
import { resume, signInState } from './data/operator/sign-in.ts';
import { SignInPage } from './pages/sign-in.tsx';
import { Shell } from './parts/frame/shell.tsx';
import { Loading } from './parts/states.tsx';
import { words } from './strings/index.ts';

/** Nothing of the service is shown, or kept in the page, without a sign-in. */
export function Console() {
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
