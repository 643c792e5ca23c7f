import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type {
  EndStatus,
  EvaluationSession,
  ListedEvaluationSession,
} from '../../../features/sessions/schema.ts';
import type { ListedEvaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { count, shortId } from '../../data/format.ts';
import { knowNames } from '../../data/names.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useHappening, useResource } from '../../data/resource.ts';
import { query, setQuery, to } from '../../data/route.ts';
import { openTimeline, type TimelineLoader } from '../../data/timeline.ts';
import { StatusName, Tags, Time, Verdict } from '../../parts/badges.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import { Empty, Loading, Problem, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { EvaluationDetail } from '../evaluations/detail.tsx';
import { Flow } from './flow.tsx';
import { SessionTable, sessionTone } from './list.tsx';
import { SessionState, Summary } from './state.tsx';

interface VirtualListProps {
  total: number;
  rowHeight: number;
  /** Whether all rows exist, as for printing. */
  isWhole?: boolean;
  label: string;
  /** Whether the end stays in sight when rows are added. */
  follows: boolean;
  /** The person scrolled back from the end: rows that are added must not take the place of what is read. */
  onLeave: () => void;
  /** Told which rows are in sight. */
  onShow: (from: number, to: number) => void;
  row: (place: number) => ComponentChildren;
}

/** Rows above and below those in sight that are there already when a person scrolls. */
const overscan = 12;

/** A list of which only the rows in sight exist: ten thousand scroll as ten do. All rows have the same height. */
function VirtualList(props: VirtualListProps) {
  const { total, rowHeight, isWhole = false, label, follows, onLeave, onShow, row } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const leave = useRef(onLeave);
  leave.current = onLeave;

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let last = 0;
    const measure = () => {
      const { scrollTop: top, clientHeight: height, scrollHeight } = element;
      if (top < last && top + height < scrollHeight - rowHeight) leave.current();
      last = top;
      setView({ top, height });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  useEffect(() => {
    if (follows && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [follows, total]);

  const from = isWhole ? 0 : Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const end = isWhole ? total : Math.ceil((view.top + view.height) / rowHeight) + overscan;
  const to = Math.min(total - 1, end);
  useEffect(() => onShow(from, to), [from, to, total]);

  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
  return (
    <div class="virtual" ref={frame} tabIndex={0} role="region" aria-label={label}>
      <ol style={{ height: `${total * rowHeight}px` }}>
        {places.map((place) => (
          <li
            key={place}
            aria-setsize={total}
            aria-posinset={place + 1}
            style={{ transform: `translateY(${place * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(place)}
          </li>
        ))}
      </ol>
    </div>
  );
}

const shown = 20;

/** The sessions that agents opened below this one. */
function Children({ id }: { id: string }) {
  const { session: text } = words.value;
  const { state } = useResource(
    `below ${id}`,
    ({ signal, background }) =>
      call<ListedEvaluationSession[]>('/v1/evaluation-sessions', {
        query: { parentSessionId: id, size: shown },
        signal,
        background,
      }),
    { on: ['sessions'] },
  );
  if (state.is !== 'ready' || state.data.data.length === 0) return null;
  const { data, pagination } = state.data;
  return (
    <section aria-label={text.children}>
      <h2>{text.children}</h2>
      <SessionTable sessions={data} />
      {pagination.total > data.length && (
        <p class="quiet">
          <Link href={`${to('sessions')}?${new URLSearchParams({ parent: id })}`}>
            {text.allChildren(pagination.total)}
          </Link>
        </p>
      )}
    </section>
  );
}

const status: EndStatus = 'TERMINATED';

/** Ends a session whose agent should do nothing more. */
function EndSession({ id, onEnded }: { id: string; onEnded: () => void }) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function end() {
    if (!(await ask(text.endQuestion, text.end))) return;
    await call(`/v1/evaluation-sessions/${id}/end`, { method: 'POST', json: { status } });
    announce(text.endedNow);
    onEnded();
  }
  return (
    <>
      <button type="button" class="button small danger" disabled={isBusy} onClick={() => void run(end)}>
        {text.end}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

interface PrintButtonProps {
  loader: TimelineLoader;
  /** Whether all rows of the timeline are on the page, instead of those in sight. */
  isWhole: Signal<boolean>;
}

/** Prints all of a session: what was never scrolled to is neither loaded nor on the page. */
function PrintButton({ loader, isWhole }: PrintButtonProps) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  useEffect(() => {
    const end = () => {
      isWhole.value = false;
    };
    addEventListener('afterprint', end);
    return () => removeEventListener('afterprint', end);
  }, [isWhole]);

  async function printAll() {
    await loader.loadAll();
    isWhole.value = true;
    await rendered();
    print();
  }
  return (
    <>
      <button type="button" class="button small" disabled={isBusy} onClick={() => void run(printAll)}>
        {isBusy ? text.preparingPrint : text.print}
      </button>
      {error && <Problem error={error} />}
    </>
  );
}

/** The first frame draws what was changed, the second one comes after it. */
const rendered = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

interface TimelineRowProps {
  entries: ReadonlyMap<number, ListedEvaluation>;
  place: number;
  chosen: string | null;
}

/** Tags that are shown in one line. */
const mostTags = 3;

function TimelineRow({ entries, place, chosen }: TimelineRowProps) {
  const entry = entries.get(place);
  if (!entry) return <span class="timeline-row waiting-row">{words.value.common.loading}</span>;
  const parameters = new URLSearchParams(query.value);
  parameters.set('evaluation', entry.evaluationRunId);
  const isResult = entry.phase === 'RESULT';
  return (
    <Link
      href={`${to('sessions', entry.sessionId ?? '')}?${parameters}`}
      current={entry.evaluationRunId === chosen}
      class={`timeline-row ${entry.enforcementAction}${isResult ? ' result' : ''}`}
    >
      <span class="timeline-seq">{entry.seq ?? ''}</span>
      <Time at={entry.createdAt} show="time" />
      <Verdict action={entry.enforcementAction} />
      <span class="timeline-tool">
        <Visible text={rowNameOf(entry)} />
      </span>
      <Tags tags={entry.dataTags} added={addedBy(entries, place)} most={mostTags} />
    </Link>
  );
}

const rowNameOf = ({ phase, tool, targetKey }: ListedEvaluation): string =>
  phase === 'ACTION' ? (tool ?? targetKey ?? words.value.phases.ACTION) : words.value.phases[phase];

/** Tags that no earlier entry has, as far as they are loaded. */
function addedBy(entries: ReadonlyMap<number, ListedEvaluation>, place: number): string[] {
  const own = entries.get(place)?.dataTags ?? [];
  if (own.length === 0) return [];
  const before = new Set<string>();
  for (let at = 0; at < place; at++) {
    const entry = entries.get(at);
    // Unknown ones may have had it.
    if (!entry) return [];
    for (const tag of entry.dataTags) before.add(tag);
  }
  return own.filter((tag) => !before.has(tag));
}

/** The height of a row of the timeline, in pixels: the same as in the style sheet. */
const rowHeight = 44;

export function SessionPage({ id }: { id: string }) {
  const resource = useResource(
    `session ${id}`,
    async ({ signal, background }) => {
      const path = `/v1/evaluation-sessions/${id}`;
      const { data: session } = await call<EvaluationSession>(path, { signal, background });
      await knowNames({ integrations: [session.integrationId], entities: [session.entityId] });
      return session;
    },
    { on: ['sessions', 'evaluations'] },
  );
  return (
    <div class="session">
      <Show resource={resource}>{(session) => <Shown session={session} reload={resource.reload} />}</Show>
    </div>
  );
}

const nameOf = ({ id, externalSessionId }: EvaluationSession): string =>
  externalSessionId === id ? `…${shortId(id)}` : externalSessionId;

function Shown({ session, reload }: { session: EvaluationSession; reload: () => void }) {
  const { session: text, sessions } = words.value;
  const loader = useMemo(() => openTimeline(session.id), [session.id]);
  useEffect(() => loader.stop, [loader]);
  const isWhole = useSignal(false);
  return (
    <>
      <Heading title={text.title(nameOf(session))}>
        <StatusName tone={sessionTone(session.status)}>{sessions.statuses[session.status]}</StatusName>
        <PrintButton loader={loader} isWhole={isWhole} />
        {session.status === 'ACTIVE' && may('sessions:write') && (
          <EndSession id={session.id} onEnded={reload} />
        )}
      </Heading>
      <Summary session={session} />
      {loader.timeline.value && <SessionState session={session} loader={loader} onChange={reload} />}
      <Children id={session.id} />
      <TimelineSection session={session} loader={loader} isWhole={isWhole.value} />
    </>
  );
}

interface TimelineSectionProps {
  session: EvaluationSession;
  loader: TimelineLoader;
  isWhole: boolean;
}

function TimelineSection({ session, loader, isWhole }: TimelineSectionProps) {
  const { session: text } = words.value;
  const isActive = session.status === 'ACTIVE';
  const [follows, setFollows] = useState(isActive);
  useHappening(isActive ? ['evaluations'] : [], loader.refresh);
  const timeline = loader.timeline.value;
  const chosen = query.value.get('evaluation');

  if (!timeline) return <Loading />;
  if (timeline.error && timeline.total === 0)
    return <Problem error={timeline.error} retry={loader.refresh} />;
  if (timeline.total === 0) return <Empty title={text.none} />;
  return (
    <>
      <div class="section-heading">
        <h2>{text.timeline}</h2>
        <span class="quiet">{text.evaluations(count(timeline.total))}</span>
        {isActive && (
          <button
            type="button"
            class="button small"
            aria-pressed={follows}
            onClick={() => setFollows(!follows)}
          >
            {follows ? text.following : text.follow}
          </button>
        )}
      </div>
      {!isWhole && <p class="print-only">{text.printedInPart(count(timeline.total))}</p>}
      <div class={chosen ? 'split chosen' : 'split'}>
        <div class="split-list">
          <VirtualList
            isWhole={isWhole}
            total={timeline.total}
            rowHeight={rowHeight}
            label={text.timeline}
            follows={follows}
            onLeave={() => setFollows(false)}
            onShow={loader.need}
            row={(place) => <TimelineRow entries={timeline.entries} place={place} chosen={chosen} />}
          />
        </div>
        <div class="split-detail">
          {chosen ? (
            <>
              <button type="button" class="link back" onClick={() => setQuery({ evaluation: null })}>
                ← {text.timeline}
              </button>
              <EvaluationDetail key={chosen} id={chosen} inSession />
            </>
          ) : (
            <Empty title={text.choose} />
          )}
        </div>
      </div>
      <Flow timeline={timeline} />
    </>
  );
}
