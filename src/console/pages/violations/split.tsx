import type { RecordedViolation } from '../../../schemas/violations.ts';
import { query, setQuery, to } from '../../data/route.ts';
import { SeverityName, StatusName } from '../../parts/badges.tsx';
import { Link } from '../../parts/link.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { ViolationDetail } from './detail.tsx';
import { violationTones } from './tones.ts';

interface ViolationSplitProps {
  violations: readonly RecordedViolation[];
  reload: () => void;
}

/** The list, with the chosen violation beside it. */
export function ViolationSplit({ violations, reload }: ViolationSplitProps) {
  const { violations: text } = words.value;
  const asked = query.value.get('id');
  const isWide = matchMedia('(min-width: 900px)').matches;
  const chosen = asked ?? (isWide ? (violations[0]?.id ?? null) : null);
  return (
    <div class={asked === null ? 'split' : 'split chosen'}>
      <div class="split-list">
        <ol class="entries">
          {violations.map((violation) => (
            <li key={violation.id} class={violation.id === chosen ? 'current' : undefined}>
              <Entry violation={violation} isCurrent={violation.id === chosen} />
            </li>
          ))}
        </ol>
      </div>
      <div class="split-detail">
        {chosen === null ? (
          <Empty title={text.choose} />
        ) : (
          <>
            <button type="button" class="link back" onClick={() => setQuery({ id: null })}>
              ← {text.title}
            </button>
            <ViolationDetail key={chosen} id={chosen} onChange={reload} />
          </>
        )}
      </div>
    </div>
  );
}

function Entry({ violation, isCurrent }: { violation: RecordedViolation; isCurrent: boolean }) {
  const { violations: text } = words.value;
  const parameters = new URLSearchParams(query.value);
  parameters.set('id', violation.id);
  return (
    <Link href={`${to('violations')}?${parameters}`} current={isCurrent} class="entry">
      <span class="entry-name">
        <Visible text={violation.ruleName} />
      </span>
      <SeverityName severity={violation.severity} />
      <span class="entry-why quiet">
        <Visible text={violation.tool ?? ''} /> <Time at={violation.createdAt} />
      </span>
      <StatusName tone={violationTones[violation.status]}>{text.statuses[violation.status]}</StatusName>
    </Link>
  );
}
