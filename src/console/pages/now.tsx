import { effect, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ListedReview } from '../../features/reviews/schema.ts';
import type { StatsSeries } from '../../features/stats/schema.ts';
import type { Webhook, WebhookDelivery } from '../../features/webhooks/schema.ts';
import type { EvaluateResult, RecordedEvaluation } from '../../schemas/evaluations.ts';
import { ApiError, apiErrorOf, call } from '../data/api.ts';
import { now } from '../data/clock.ts';
import { demo, sendBlockedCall, startDemo, startFirstDemo } from '../data/demo.ts';
import { count, milliseconds, percent, signedPercent } from '../data/format.ts';
import { liveState, oneAtATime, whenHappens } from '../data/live.ts';
import { nameOfIntegration } from '../data/names.ts';
import { guide } from '../data/operator/preferences.ts';
import { confirmed, may, signedInByLink } from '../data/operator/sign-in.ts';
import { decidingViolation } from '../data/policies/deciding-violation.ts';
import { useResource } from '../data/resource.ts';
import { waiting } from '../data/reviews/waiting.ts';
import { to } from '../data/route.ts';
import {
  type Counts,
  countedActions,
  countNames,
  evaluationsHref,
  filterOfName,
  readStats,
  type Slot,
  type StatsRange,
  slotsOf,
  statsRangeInUrl,
  totalsOf,
} from '../data/statistics.ts';
import { Countdown, Shape, Time, Verdict } from '../parts/badges.tsx';
import { DecisionsChart, PeriodChoice, Sparkline } from '../parts/chart.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Empty, Loading, Problem, Show } from '../parts/states.tsx';
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
    // Some may have been missed while it was paused.
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
        {guide.value === 'shown' && (
          <Link href={to('start')} class="button">
            {text.guide}
          </Link>
        )}
      </div>
    </section>
  );
}

/** The decision of each action, and the reason of the last one. */
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
  const range = statsRangeInUrl();
  const overview = useOverview(range);
  return (
    <div class="now">
      <Heading title={text.title}>
        <Health />
        <PeriodChoice range={range} />
      </Heading>
      <div class="cards-place">
        <Show resource={overview}>{(found) => <Cards range={range} {...found} />}</Show>
      </div>
      <div class="columns">
        <section aria-labelledby="decisions">
          <div class="chart-place">
            <Show resource={overview}>{({ slots }) => <DecisionsChart range={range} slots={slots} />}</Show>
          </div>
          <FeedHeading />
          <Feed />
        </section>
        <div class="aside">
          <section class="waiting-place" aria-labelledby="waiting">
            <h2 id="waiting">{text.waiting}</h2>
            <Waiting />
          </section>
          <div class="tops-place">
            <Show resource={overview}>{(found) => <Tops range={range} {...found} />}</Show>
          </div>
          {may('integrations:write') && <DemoCard />}
          {may('webhooks:read') && <FailingReceivers />}
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
  const failure = state.is === 'ready' ? state.stale : state.error;
  const problem = failure && (failure.status === 0 ? text.offline : text.notReady);
  return (
    <span class={problem ? 'health bad' : 'health good'} role="status">
      {problem ?? text.ready}
    </span>
  );
}

/** News are counted so much later, in milliseconds, all of that time together. */
const newsWaitMs = 5_000;
const statsEveryMs = 60_000;

/** The counts of a range, and those of as long a time before it. */
function useOverview(range: StatsRange) {
  const before = { ...range, from: 2 * range.from - range.to, to: range.from };
  return useResource(
    `overview ${JSON.stringify(range)}`,
    async (options) => {
      const [integrations, earlier, tools, rules] = await Promise.all([
        readStats('integration', range, options),
        readStats('integration', before, options),
        readStats('tool', range, options),
        readStats('rule', range, options),
      ]);
      const [total, slots] = [totalsOf(integrations), slotsOf(integrations, range)];
      return { integrations, tools, rules, total, slots, earlier: totalsOf(earlier) };
    },
    { everyMs: statsEveryMs, on: ['evaluations'], onAfterMs: newsWaitMs },
  );
}

interface TopsProps {
  range: StatsRange;
  rules: readonly StatsSeries[];
  tools: readonly StatsSeries[];
  integrations: readonly StatsSeries[];
}

function Tops({ range, rules, tools, integrations }: TopsProps) {
  return (
    <>
      <Top by="rule" series={rules} range={range} />
      <Top by="tool" series={tools} range={range} />
      <Top by="integration" series={integrations} range={range} />
    </>
  );
}

interface CardsProps {
  range: StatsRange;
  slots: readonly Slot[];
  total: Counts;
  earlier: Counts;
}

/** How much of each decision there was, its share, and the change. Each leads to its evaluations. */
function Cards({ range, slots, total, earlier }: CardsProps) {
  const { verdicts, now: text } = words.value;
  return (
    <ul class="stats">
      {countedActions.map((action) => {
        const value = total[countNames[action]];
        return (
          <li key={action}>
            <Link href={evaluationsHref(range, { decision: action })} class={`stat ${action}`}>
              <span class="stat-name">
                <Shape action={action} />
                <span>{verdicts[action]}</span>
              </span>
              <span class="stat-value">{count(value)}</span>
              <Sparkline
                counts={slots.map((slot) => slot[countNames[action]])}
                label={text.open(verdicts[action], count(value))}
              />
              <span class="stat-note">
                {total.evaluations > 0 && <span>{text.share(percent(value / total.evaluations))}</span>}
                <Change value={value} earlier={earlier[countNames[action]]} />
              </span>
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={to('statistics')} class="stat">
          <span class="stat-name">
            <span>{text.latency}</span>
          </span>
          <span class="stat-value">{total.latency ? milliseconds(total.latency.meanMs) : '–'}</span>
          <Sparkline counts={slots.map(({ latency }) => latency?.meanMs ?? 0)} label={text.allStatistics} />
          <span class="stat-note">
            {total.latency && <span>{text.slowest(milliseconds(total.latency.maxMs))}</span>}
            <Change value={total.latency?.meanMs ?? 0} earlier={earlier.latency?.meanMs ?? 0} />
          </span>
        </Link>
      </li>
    </ul>
  );
}

function Change({ value, earlier }: { value: number; earlier: number }) {
  const { now: text } = words.value;
  if (value === earlier) return <span>{text.same}</span>;
  if (earlier === 0) return <span>{text.isNew}</span>;
  return <span>{text.change(signedPercent(value / earlier - 1))}</span>;
}

const mostTop = 5;

interface TopProps {
  by: 'rule' | 'tool' | 'integration';
  series: readonly StatsSeries[];
  range: StatsRange;
}

/** The names with the most evaluations, as bars that lead to them. */
function Top({ by, series, range }: TopProps) {
  const { now: text } = words.value;
  const most = Math.max(1, ...series.map(({ evaluations }) => evaluations));
  const nameOf = (name: string): string => (by === 'integration' ? (nameOfIntegration(name) ?? '') : name);
  return (
    <section class="top" aria-label={text.top[by]}>
      <h2>{text.top[by]}</h2>
      {series.length === 0 && <p class="quiet">{text.topNone}</p>}
      <ol>
        {series.slice(0, mostTop).map(({ name, evaluations }) => (
          <li key={name}>
            <Link href={evaluationsHref(range, filterOfName(by, name) ?? {})}>
              <span class="top-name">
                <Visible text={nameOf(name)} />
              </span>
              <span>{count(evaluations)}</span>
              <progress max={most} value={evaluations} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

const failingSinceMs = 24 * 3_600_000;
const failingEveryMs = 60_000;

/** Webhooks that gave up on events of the last day. Nothing, while all of them receive. */
function FailingReceivers() {
  const { now: text } = words.value;
  const { state } = useResource(
    'failing receivers',
    async ({ signal }) => {
      const options = { background: true, signal };
      const query = { status: 'DEAD', size: 200 };
      const [{ data: dead }, { data: webhooks }] = await Promise.all([
        call<WebhookDelivery[]>('/v1/webhook-deliveries', { query, ...options }),
        call<Webhook[]>('/v1/webhooks', { query: { size: 200 }, ...options }),
      ]);
      const since = now.peek() - failingSinceMs;
      return webhooks.flatMap(({ id, name }) => {
        const own = dead.filter((one) => one.webhookId === id && Date.parse(one.createdAt) > since);
        return own.length === 0 ? [] : [{ id, name, count: own.length, error: own[0]?.lastError ?? '' }];
      });
    },
    { everyMs: failingEveryMs },
  );
  if (state.is !== 'ready' || state.data.length === 0) return null;
  return (
    <section aria-labelledby="failing">
      <h2 id="failing">{text.failing}</h2>
      <ul class="waiting">
        {state.data.map((one) => (
          <li key={one.id}>
            <Link href={to('webhooks', one.id)}>
              <span class="waiting-tool">
                <Visible text={one.name} />
              </span>
              <span class="mistake" title={one.error}>
                {text.failingOf(one.count)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
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
        <Time at={entry.createdAt} show="second" />
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

const byExpiry = (one: ListedReview, other: ListedReview): number =>
  Date.parse(one.expiresAt) - Date.parse(other.expiresAt);

function Waiting() {
  const { now: text } = words.value;
  const found = waiting.value;
  if (!found) return <Loading />;
  if (found.total === 0) return <p class="quiet">{text.nothingWaits}</p>;
  return (
    <>
      <ul class="waiting">
        {[...found.reviews]
          .sort(byExpiry)
          .slice(0, shownReviews)
          .map((review) => (
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
