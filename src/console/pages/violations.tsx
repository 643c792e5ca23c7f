import type { Severity } from '../../schemas/decisions.ts';
import type { RecordedViolation, ViolationStatus } from '../../schemas/violations.ts';
import { useList } from '../data/resource.ts';
import { choiceInUrl, query, setQuery } from '../data/route.ts';
import { Choice } from '../parts/field.tsx';
import { Filter, SearchFilter } from '../parts/filter.tsx';
import { Heading } from '../parts/heading.tsx';
import { List } from '../parts/list.tsx';
import { words } from '../strings/index.ts';
import { RulesByViolations } from './violations/by-rule.tsx';
import { ViolationSplit } from './violations/split.tsx';

const views = ['all', 'rules'] as const;
const statuses: readonly ViolationStatus[] = ['NEW', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'];
const severities: readonly Severity[] = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

export function ViolationsPage() {
  const { violations: text } = words.value;
  const view = choiceInUrl('view', views) ?? 'all';
  return (
    <>
      <Heading title={text.title}>
        <Choice
          label={text.viewLabel}
          value={view}
          choices={views.map((one) => [one, text.views[one]])}
          onChoose={(next) => setQuery({ view: next === 'all' ? null : next, page: null })}
        />
      </Heading>
      {view === 'all' ? <AllViolations /> : <RulesByViolations />}
    </>
  );
}

function AllViolations() {
  const { violations: text, severities: names, common } = words.value;
  const filter = {
    status: choiceInUrl('status', statuses),
    severity: choiceInUrl('severity', severities),
    rule: query.value.get('rule') ?? undefined,
    policyId: query.value.get('policy') ?? undefined,
    integrationId: query.value.get('integration') ?? undefined,
    sessionId: query.value.get('session') ?? undefined,
    entityId: query.value.get('entity') ?? undefined,
  };
  const resource = useList<RecordedViolation>('/v1/violations', filter, { on: ['violations'] });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <div class="filters">
        <Filter
          label={common.status}
          name="status"
          value={filter.status}
          choices={statuses}
          names={text.statuses}
        />
        <Filter
          label={text.severity}
          name="severity"
          value={filter.severity}
          choices={severities}
          names={names}
          folded
        />
        <SearchFilter label={text.rule} name="rule" />
      </div>
      <List resource={resource} none={isFiltered ? text.noneFound : text.none}>
        {(violations) => <ViolationSplit violations={violations} reload={resource.reload} />}
      </List>
    </>
  );
}
