import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EvaluationSession } from '../../features/sessions/schema.ts';
import { call } from '../data/api.ts';
import { count, shortId } from '../data/format.ts';
import { may } from '../data/operator.ts';
import { useHappening, useResource } from '../data/resource.ts';
import { query, setQuery } from '../data/route.ts';
import { openTimeline, type TimelineLoader } from '../data/timeline.ts';
import { StatusName } from '../parts/badges.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, Loading, Problem, Show } from '../parts/states.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { words } from '../strings/index.ts';
import { EvaluationDetail } from './evaluation/detail.tsx';
import { Children } from './session/children.tsx';
import { EndSession } from './session/end.tsx';
import { Flow } from './session/flow.tsx';
import { PrintButton } from './session/print.tsx';
import { Summary } from './session/summary.tsx';
import { TimelineRow } from './session/timeline-row.tsx';
import { sessionTone } from './sessions.tsx';

/** Of a row of the timeline, in pixels: the same as in the style sheet. */
const rowHeight = 44;

export function SessionPage({ id }: { id: string }) {
  const resource = useResource(
    `session ${id}`,
    async ({ signal, background }) =>
      (await call<EvaluationSession>(`/v1/evaluation-sessions/${id}`, { signal, background })).data,
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
      <Summary session={session} onChange={reload} />
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
