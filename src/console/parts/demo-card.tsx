import { useEffect, useState } from 'preact/hooks';
import type { EvaluateResult } from '../../schemas/evaluations.ts';
import { type ApiError, apiErrorOf } from '../data/api.ts';
import { confirmed } from '../data/confirmation.ts';
import { decidingViolation } from '../data/deciding-violation.ts';
import { demo, sendBlockedCall, startDemo, startFirstDemo } from '../data/demo.ts';
import { to } from '../data/route.ts';
import { signedInByLink } from '../data/sign-in.ts';
import { words } from '../strings/index.ts';
import { Verdict } from './badges.tsx';
import { Link } from './link.tsx';
import { Problem } from './states.tsx';
import { Visible } from './visible.tsx';

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

  useEffect(() => {
    if (signedInByLink.value) void run(startFirstDemo);
  }, []);

  return (
    <section class="card demo" aria-labelledby="demo">
      <h2 id="demo">{text.title}</h2>
      {state ? (
        <>
          {state.isWithoutPolicies && <p class="note">{text.noPolicies}</p>}
          <Steps responses={state.responses} />
        </>
      ) : (
        <p class="quiet">{text.text}</p>
      )}
      {error && <Problem error={error} />}
      <div class="buttons">
        <button
          type="button"
          class="button primary"
          disabled={busy}
          onClick={() => run(state ? sendBlockedCall : () => confirmed(startDemo))}
        >
          {busy ? text.working : state ? text.blocked : text.start}
        </button>
        {state && 'sessionId' in state.session && (
          <Link href={to('sessions', state.session.sessionId)} class="button">
            {text.open}
          </Link>
        )}
      </div>
    </section>
  );
}

/** What was decided of each action, and of the last one why. */
function Steps({ responses }: { responses: readonly EvaluateResult[] }) {
  const { demo: text } = words.value;
  const last = responses.at(-1);
  const why = last && decidingViolation(last.violations, last.enforcementAction);
  return (
    <>
      <ol class="demo-steps">
        {responses.map(({ evaluationRunId, enforcementAction }, place) => (
          <li key={evaluationRunId}>
            <Link href={to('evaluations', evaluationRunId)}>
              <span>{text.steps[Math.min(place, text.steps.length - 1)]}</span>
              <Verdict action={enforcementAction} />
            </Link>
          </li>
        ))}
      </ol>
      <p class="quiet" role="status">
        {why && <Visible text={why.message} />}
      </p>
    </>
  );
}
