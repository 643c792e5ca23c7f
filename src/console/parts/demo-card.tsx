import { useState } from 'preact/hooks';
import { type ApiError, apiErrorOf } from '../data/api.ts';
import { confirmed } from '../data/confirmation.ts';
import { demo, sendBlockedCall, startDemo } from '../data/demo.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Verdict } from './badges.tsx';
import { Link } from './link.tsx';
import { Problem } from './states.tsx';

/** Shows what the service does on the operator's own installation, through the public API. */
export function DemoCard() {
  const { demo: text } = words.value;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const state = demo.value;

  async function run(send: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await send();
    } catch (failure) {
      setError(apiErrorOf(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <section class="card demo" aria-labelledby="demo">
      <h2 id="demo">{text.title}</h2>
      {!state && <p class="quiet">{text.text}</p>}
      {state?.isWithoutPolicies && <p class="note">{text.noPolicies}</p>}
      {state && (
        <ol class="demo-steps">
          {state.responses.map(({ evaluationRunId, enforcementAction }, place) => (
            <li key={evaluationRunId}>
              <Link href={to('evaluations', evaluationRunId)}>
                <span>{text.steps[Math.min(place, text.steps.length - 1)]}</span>
                <Verdict action={enforcementAction} />
              </Link>
            </li>
          ))}
        </ol>
      )}
      {error && <Problem error={error} />}
      <div class="buttons">
        {state ? (
          <button type="button" class="button" disabled={busy} onClick={() => run(sendBlockedCall)}>
            {busy ? text.working : text.blocked}
          </button>
        ) : (
          <button
            type="button"
            class="button primary"
            disabled={busy}
            onClick={() => run(() => confirmed(startDemo))}
          >
            {busy ? text.working : text.start}
          </button>
        )}
        {state?.sessionId && (
          <Link href={to('sessions', state.sessionId)} class="button">
            {text.open}
          </Link>
        )}
      </div>
    </section>
  );
}
