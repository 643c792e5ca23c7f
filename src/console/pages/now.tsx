import { useEffect } from 'preact/hooks';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import type { RecordedEvaluation } from '../../schemas/evaluations.ts';
import { call } from '../data/api.ts';
import { now } from '../data/clock.ts';
import { decidingViolation } from '../data/deciding-violation.ts';
import { feed, feedState, followFeed, mostShown } from '../data/feed.ts';
import { liveState } from '../data/live.ts';
import { nameOfIntegration } from '../data/names.ts';
import { may } from '../data/operator.ts';
import { useResource } from '../data/resource.ts';
import { waiting } from '../data/reviews-waiting.ts';
import { to } from '../data/route.ts';
import { Shape, Verdict } from '../parts/badges.tsx';
import { DemoCard } from '../parts/demo-card.tsx';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { Empty, Loading } from '../parts/states.tsx';
import { Countdown, Time } from '../parts/times.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

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

const actions: readonly EnforcementAction[] = ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'];
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
      {actions.map((action) => {
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
