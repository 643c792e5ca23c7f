import type { ListedEvaluation } from '../../../schemas/evaluations.ts';
import { query, to } from '../../data/route.ts';
import { Tags, Verdict } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

interface TimelineRowProps {
  entries: ReadonlyMap<number, ListedEvaluation>;
  place: number;
  chosen: string | null;
}

/** Tags that are shown in one line. */
const mostTags = 3;

export function TimelineRow({ entries, place, chosen }: TimelineRowProps) {
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
        <Visible text={nameOf(entry)} />
      </span>
      <Tags tags={entry.dataTags} added={addedBy(entries, place)} most={mostTags} />
    </Link>
  );
}

const nameOf = ({ phase, tool, targetKey }: ListedEvaluation): string =>
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
