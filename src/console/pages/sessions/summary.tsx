import type { EvaluationSession } from '../../../features/sessions/schema.ts';
import { count, shortId } from '../../data/format.ts';
import { to } from '../../data/route.ts';
import { Named, Numbers, Time } from '../../parts/badges.tsx';
import { Details } from '../../parts/frame/heading.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

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
