import type { EvaluationSession } from '../../../features/sessions/schema.ts';
import { call } from '../../data/api.ts';
import { announce, useChange } from '../../data/change.ts';
import { count, shortId } from '../../data/format.ts';
import { nameOfEntity, nameOfIntegration } from '../../data/names.ts';
import { may } from '../../data/operator.ts';
import { ask } from '../../data/question.ts';
import { to } from '../../data/route.ts';
import { Numbers, Tags, Time } from '../../parts/badges.tsx';
import { Details } from '../../parts/heading.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface SummaryProps {
  session: EvaluationSession;
  onChange: () => void;
}

/** The facts of a session as a whole. */
export function Summary({ session, onChange }: SummaryProps) {
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
    dataTags,
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
          [words.value.evaluations.columns.integration, <Integration id={session.integrationId} />],
          [
            text.entity,
            entityId && (
              <Link href={to('entities', entityId)}>
                <Visible text={nameOfEntity(entityId) ?? `…${shortId(entityId)}`} />
              </Link>
            ),
          ],
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
          [text.seen, dataTags.length > 0 && <Tags tags={dataTags} />],
          [text.labels, session.labels.length > 0 && <Labels session={session} onChange={onChange} />],
        ]}
      />
      {Object.keys(session.metadata).length > 0 && <Json value={session.metadata} label={text.metadata} />}
    </div>
  );
}

/** A link to the integration that opened the session. */
const Integration = ({ id }: { id: string }) => (
  <Link href={to('integrations', id)}>
    <Visible text={nameOfIntegration(id) ?? `…${shortId(id)}`} />
  </Link>
);

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

/** The notes of policies about the session; one that no longer holds can be taken away. */
function Labels({ session: { id, labels }, onChange }: SummaryProps) {
  const { session: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function remove(label: string) {
    if (!(await ask(text.removeLabelQuestion(label)))) return;
    await call(`/v1/evaluation-sessions/${id}/remove-label`, { method: 'POST', json: { label } });
    announce(text.labelRemoved(label));
    onChange();
  }
  return (
    <>
      <ul class="tags">
        {labels.map((label) => (
          <li key={label} class="tag">
            {label}{' '}
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
