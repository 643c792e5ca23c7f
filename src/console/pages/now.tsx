import { effect, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import type { EvaluateResult, RecordedEvaluation } from '../../schemas/evaluations.ts';
import { enforcementActions } from '../../schemas/words.ts';
import { ApiError, apiErrorOf, call } from '../data/api.ts';
import { now } from '../data/clock.ts';
import { confirmed } from '../data/confirmation.ts';
import { decidingViolation } from '../data/deciding-violation.ts';
import { demo, sendBlockedCall, startDemo, startFirstDemo } from '../data/demo.ts';
import { liveState, oneAtATime, whenHappens } from '../data/live.ts';
import { nameOfIntegration } from '../data/names.ts';
import { may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { waiting } from '../data/reviews-waiting.ts';
import { to } from '../data/route.ts';
import { signedInByLink } from '../data/sign-in.ts';
import { Countdown, Shape, Time, Verdict } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

/** Decisions as they are recorded, newest first. */
const feed = signal<readonly RecordedEvaluation[]>([]);
type FeedState = 'starting' | 'following' | 'paused';
const feedState = signal<FeedState>('starting');

/** Most decisions that are shown; older ones are on the pages of their sessions. */
const mostShown = 200;

/** Follows the decisions of all integrations until the returned function is called. */
function followFeed(): () => void {
  const ended = new AbortController();
  const read = oneAtATime(() => readNext(ended.signal));
  const stop = whenHappens(['evaluations'], read);
  const stopState = effect(() => {
    // What was missed while it was paused.
    if (feedState.value !== 'paused') read();
  });
  return () => {
    ended.abort();
    stop();
    stopState();
  };
}

async function readNext(signal: AbortSignal): Promise<void> {
  try {
    let found = mostShown;
    while (found === mostShown && feedState.value !== 'paused') {
      const after = feed.value[0]?.evaluationRunId;
      const query = { after, size: mostShown };
      const { data } = await call<RecordedEvaluation[]>('/v1/evaluations', {
        query,
        background: true,
        signal,
      });
      if (signal.aborted) return;
      found = after === undefined ? 0 : data.length;
      if (data.length > 0) feed.value = [...data.reverse(), ...feed.value].slice(0, mostShown);
    }
    if (feedState.value !== 'paused') feedState.value = 'following';
  } catch (error) {
    if (signal.aborted) return;
    // The evaluation that it followed may be gone, when the database was replaced.
    if (error instanceof ApiError && error.status === 404) feed.value = [];
  }
}

/** Shows what the service does on the operator's own installation, through the public API. */
function DemoCard() {
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

export function NowPage() {
  useEffect(followFeed, []);
  const { now: text } = words.value;
  return (
    <div class="now">
      <Heading title={text.title}>
        <Health />
      </Heading>
      <Sparklines />
      <div class="columns">
        <section aria-labelledby="decisions">
          <FeedHeading />
          <Feed />
        </section>
        <div class="aside">
          <section aria-labelledby="waiting">
            <h2 id="waiting">{text.waiting}</h2>
            <Waiting />
          </section>
          {may('integrations:write') && <DemoCard />}
        </div>
      </div>
    </div>
  );
}

const healthEveryMs = 10_000;

function Health() {
  const { state } = useResource(
    'health',
    ({ signal }) => call('/health/ready', { background: true, signal }),
    {
      everyMs: healthEveryMs,
    },
  );
  const { now: text } = words.value;
  if (state.is === 'loading') return <span class="health">{text.checking}</span>;
  const isReady = state.is === 'ready' && state.stale === null;
  return (
    <span class={isReady ? 'health good' : 'health bad'} role="status">
      {isReady ? text.ready : text.notReady}
    </span>
  );
}

const bars = 30;
const barMs = 60_000;

function Sparklines() {
  const { verdicts, now: text } = words.value;
  // By the minute: the bars move once a minute, not every second.
  const end = Math.ceil(now.value / barMs) * barMs;
  const oldest = Date.parse(feed.value[mostShown - 1]?.createdAt ?? '');
  // Older ones are not here: what is counted is the least that there were.
  const isPartial = oldest > end - bars * barMs;
  return (
    <ul class="sparklines">
      {enforcementActions.map((action) => {
        const counts = countsOf(feed.value, action, end);
        const total = counts.reduce((sum, value) => sum + value, 0);
        return (
          <li key={action} class={`stat ${action}`}>
            <span class="stat-name">
              <Shape action={action} />
              {verdicts[action]}
            </span>
            <span class="stat-value">
              {total}
              {isPartial && '+'}
            </span>
            <Sparkline counts={counts} label={text.chart(verdicts[action], total)} />
          </li>
        );
      })}
    </ul>
  );
}

function countsOf(entries: readonly RecordedEvaluation[], action: EnforcementAction, end: number): number[] {
  const counts = new Array<number>(bars).fill(0);
  for (const { createdAt, enforcementAction } of entries) {
    const place = bars - 1 - Math.floor((end - Date.parse(createdAt)) / barMs);
    if (enforcementAction === action && counts[place] !== undefined) counts[place]++;
  }
  return counts;
}

function FeedHeading() {
  const { now: text } = words.value;
  const state = feedState.value === 'following' ? liveState.value : feedState.value;
  const toggle = () => {
    feedState.value = state === 'paused' ? 'following' : 'paused';
  };
  return (
    <div class="section-heading">
      <h2 id="decisions">{text.decisions}</h2>
      <span class={`live ${state}`} role="status">
        {text[state]}
      </span>
      <button type="button" class="button small" aria-pressed={state === 'paused'} onClick={toggle}>
        {state === 'paused' ? text.resume : text.pause}
      </button>
    </div>
  );
}

function Feed() {
  const { now: text } = words.value;
  if (feed.value.length === 0) {
    if (feedState.value === 'starting') return <Loading />;
    return (
      <Empty title={text.empty}>
        <p>{text.emptyHint}</p>
      </Empty>
    );
  }
  return (
    <ol class="feed">
      {feed.value.map((entry) => (
        <FeedEntry key={entry.evaluationRunId} entry={entry} />
      ))}
    </ol>
  );
}

function FeedEntry({ entry }: { entry: RecordedEvaluation }) {
  const deciding = decidingViolation(entry.violations, entry.enforcementAction);
  return (
    <li>
      <Link href={to('evaluations', entry.evaluationRunId)} class="feed-entry">
        <Time at={entry.createdAt} show="time" />
        <Verdict action={entry.enforcementAction} />
        <span class="feed-tool">
          <Visible text={entry.tool ?? entry.targetKey ?? words.value.phases[entry.phase]} />
        </span>
        <span class="feed-why">{deciding && <Visible text={deciding.ruleName} />}</span>
        <span class="feed-integration quiet">
          <Visible text={nameOfIntegration(entry.integrationId) ?? ''} />
        </span>
      </Link>
    </li>
  );
}

const shownReviews = 5;

function Waiting() {
  const { now: text } = words.value;
  const found = waiting.value;
  if (!found) return <Loading />;
  if (found.total === 0) return <p class="quiet">{text.nothingWaits}</p>;
  return (
    <>
      <ul class="waiting">
        {found.reviews.slice(0, shownReviews).map((review) => (
          <li key={review.id}>
            <Link href={`${to('reviews')}?id=${review.id}`}>
              <span class="waiting-tool">
                <Visible text={review.tool ?? review.targetKey ?? ''} />
              </span>
              <Countdown until={review.expiresAt} />
            </Link>
          </li>
        ))}
      </ul>
      <Link href={to('reviews')} class="button">
        {text.openReviews} ({found.total})
      </Link>
    </>
  );
}
