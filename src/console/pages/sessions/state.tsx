import { useEffect } from 'preact/hooks';
import type { EvaluationSession } from '../../../features/sessions/schema.ts';
import type { ListedEvaluation } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { announce, ask, useChange } from '../../data/change.ts';
import { count, shortId } from '../../data/format.ts';
import { may } from '../../data/operator/sign-in.ts';
import { query, to } from '../../data/route.ts';
import type { TimelineLoader } from '../../data/timeline.ts';
import { Named, Numbers, Time } from '../../parts/badges.tsx';
import { Counters } from '../../parts/counters.tsx';
import { Details } from '../../parts/frame/heading.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface SessionStateProps {
  session: EvaluationSession;
  loader: TimelineLoader;
  onChange: () => void;
}

/** All that rules read of a session: the data that it saw, its labels and the counters, each with where it came from. */
export function SessionState({ session, loader, onChange }: SessionStateProps) {
  const { session: text, counters: counterText } = words.value;
  const origins = useOrigins(session, loader);
  const { dataTags, labels, counters = [] } = session;
  return (
    <>
      {dataTags.length + labels.length > 0 && (
        <section class="session-state" aria-label={text.state}>
          <h2>{text.state}</h2>
          <dl class="details">
            {dataTags.length > 0 && (
              <div>
                <dt>{text.seen}</dt>
                <dd>
                  <ul class="tags">
                    {dataTags.map((tag) => (
                      <li key={tag} class="tag">
                        <Visible text={tag} /> <Origin of={origins.tags.get(tag)} />
                      </li>
                    ))}
                  </ul>
                </dd>
              </div>
            )}
            {labels.length > 0 && (
              <div>
                <dt>{text.labels}</dt>
                <dd>
                  <Labels session={session} origins={origins.labels} onChange={onChange} />
                </dd>
              </div>
            )}
          </dl>
        </section>
      )}
      {counters.length > 0 && (
        <Counters
          counters={counters}
          none=""
          most={3}
          whose={[counterText.over, ({ over }) => counterText.scopes[over]]}
        />
      )}
    </>
  );
}

type Origins = ReadonlyMap<string, ListedEvaluation>;

/** Entries that are looked through, from the first on, for where a tag or a label came from. */
const mostSearched = 1_000;
const atOnce = 100;

/** The first evaluations with each tag, and those that gave each label. A tag of the session before has none here. */
function useOrigins(
  { dataTags, labels }: EvaluationSession,
  loader: TimelineLoader,
): { tags: Origins; labels: Origins } {
  const timeline = loader.timeline.value;
  const tags = new Map<string, ListedEvaluation>();
  const ofLabels = new Map<string, ListedEvaluation>();
  const isDone = () => dataTags.every((tag) => tags.has(tag)) && labels.every((label) => ofLabels.has(label));
  let place = 0;
  for (; !isDone(); place++) {
    const entry = timeline?.entries.get(place);
    if (!entry) break;
    for (const tag of entry.dataTags) if (!tags.has(tag)) tags.set(tag, entry);
    for (const label of entry.labels) if (!ofLabels.has(label)) ofLabels.set(label, entry);
  }
  const isMore =
    timeline !== null && timeline.error === null && place < Math.min(timeline.total, mostSearched);
  const next = isMore && !isDone() ? place : null;
  useEffect(() => {
    if (next !== null) loader.need(next, next + atOnce - 1);
  }, [loader, next]);
  return { tags, labels: ofLabels };
}

/** A link to the evaluation, beside the timeline. */
function Origin({ of: entry }: { of: ListedEvaluation | undefined }) {
  if (!entry) return null;
  const { session: text, phases } = words.value;
  const parameters = new URLSearchParams(query.value);
  parameters.set('evaluation', entry.evaluationRunId);
  return (
    <Link href={`${to('sessions', entry.sessionId ?? '')}?${parameters}`}>
      {entry.seq === null ? phases[entry.phase] : text.since(entry.seq)}
    </Link>
  );
}

interface LabelsProps extends Pick<SessionStateProps, 'session' | 'onChange'> {
  origins: Origins;
}

/** The notes of policies about the session; one that no longer holds can be taken away. */
function Labels({ session: { id, labels }, origins, onChange }: LabelsProps) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function remove(label: string) {
    if (!(await ask(text.removeLabelQuestion(label), text.removeLabel(label)))) return;
    await call(`/v1/evaluation-sessions/${id}/remove-label`, { method: 'POST', json: { label } });
    announce(text.labelRemoved(label));
    onChange();
  }
  return (
    <>
      <ul class="tags">
        {labels.map((label) => (
          <li key={label} class="tag">
            {label} <Origin of={origins.get(label)} />{' '}
            {may('sessions:write') && (
              <button
                type="button"
                class="link"
                aria-label={text.removeLabel(label)}
                disabled={isBusy}
                onClick={() => void run(() => remove(label))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {error && <Problem error={error} />}
    </>
  );
}

/** The facts of a session as a whole. */
export function Summary({ session }: { session: EvaluationSession }) {
  const { session: text } = words.value;
  const {
    endedAt,
    expiresAt,
    entityId,
    parentSessionId,
    previousSessionId,
    rootSessionId,
    depth,
    toolsUsed,
  } = session;
  return (
    <div class="summary">
      <Numbers
        of={[
          [text.actions, count(session.actionCount)],
          [text.warnings, count(session.warningCount)],
          [text.holds, count(session.reviewCount)],
          [text.rejections, count(session.rejectionCount)],
          [text.blocks, count(session.blockCount)],
        ]}
      />
      <Details
        of={[
          [text.started, <Time key="" at={session.startedAt} show="full" />],
          [endedAt ? text.ended : text.ends, <Time key="" at={endedAt ?? expiresAt} show="full" />],
          [
            words.value.evaluations.columns.integration,
            <Named key="" kind="integrations" id={session.integrationId} />,
          ],
          [text.entity, entityId && <Named kind="entities" id={entityId} />],
          [
            text.parent,
            parentSessionId && (
              <Link href={to('sessions', parentSessionId)}>…{shortId(parentSessionId)}</Link>
            ),
          ],
          [
            text.previous,
            previousSessionId && (
              <Link href={to('sessions', previousSessionId)}>…{shortId(previousSessionId)}</Link>
            ),
          ],
          [
            text.root,
            depth > 1 && <Link href={to('sessions', rootSessionId)}>…{shortId(rootSessionId)}</Link>,
          ],
          [
            text.grants,
            session.grants.length > 0 && (
              <Visible
                text={session.grants.map(({ ruleId, usesLeft }) => text.grant(ruleId, usesLeft)).join(', ')}
              />
            ),
          ],
          [text.tools, toolsUsed.length > 0 && <ToolCounts session={session} />],
        ]}
      />
      {Object.keys(session.metadata).length > 0 && <Json value={session.metadata} label={text.metadata} />}
    </div>
  );
}

/** How often each tool was let through, as bars. */
function ToolCounts({ session: { toolsUsed, toolCounts, attemptCounts } }: { session: EvaluationSession }) {
  const most = Math.max(1, ...Object.values(attemptCounts));
  return (
    <ul class="tool-counts">
      {toolsUsed.map((tool) => (
        <li key={tool}>
          <Visible text={tool} />
          <span>
            {words.value.session.letThrough(count(toolCounts[tool] ?? 0), count(attemptCounts[tool] ?? 0))}
          </span>
          <progress max={most} value={toolCounts[tool] ?? 0} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}
