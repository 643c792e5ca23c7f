import { useState } from 'preact/hooks';
import type { RecordedViolation, RuleViolations } from '../../../features/violations/schema.ts';
import { violationStatuses } from '../../../features/violations/words.ts';
import { severities } from '../../../schemas/words.ts';
import { call } from '../../data/api.ts';
import { count, percent } from '../../data/format.ts';
import { nameOfPolicy } from '../../data/names.ts';
import { may } from '../../data/operator/operator.ts';
import { rangeInUrl } from '../../data/period.ts';
import { useList, useResource } from '../../data/resource.ts';
import { choiceInUrl, query, setQuery, to } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { SeverityName, StatusName, Time } from '../../parts/badges.tsx';
import { Choice } from '../../parts/form/field.tsx';
import { Heading } from '../../parts/frame/heading.tsx';
import { Link } from '../../parts/link.tsx';
import {
  EntityFilter,
  Filter,
  IntegrationFilter,
  NamedFilter,
  PeriodFilter,
  SeenFilter,
} from '../../parts/list/filters.tsx';
import { FilterFields, List } from '../../parts/list/list.tsx';
import { Table } from '../../parts/list/table.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { SeveralViolations, ViolationDetail, violationTones } from './detail.tsx';

/** How often each rule was right, as operators judged it. */
function RulesByViolations() {
  const { violations: text } = words.value;
  const resource = useResource(
    'violations by rule',
    async ({ signal }) => (await call<RuleViolations[]>('/v1/violations/rules', { signal })).data,
  );
  return (
    <>
      <p class="quiet">{text.rulesText}</p>
      <Show resource={resource}>
        {(rules) => (rules.length === 0 ? <Empty title={text.noRules} /> : <RuleTable rules={rules} />)}
      </Show>
    </>
  );
}

function RuleTable({ rules }: { rules: readonly RuleViolations[] }) {
  const { violations: text } = words.value;
  const { columns } = text;
  return (
    <Table
      headings={[
        columns.rule,
        words.value.proposals.policy,
        columns.triaged,
        text.rightness,
        columns.acknowledged,
        columns.resolved,
        columns.dismissed,
        '',
      ]}
    >
      {rules.map((rule) => (
        <tr key={`${rule.policyId} ${rule.ruleId}`}>
          <th scope="row">
            <Link
              href={`${to('violations')}?${new URLSearchParams({ rule: rule.ruleId, policy: rule.policyId })}`}
            >
              <Visible text={rule.ruleId} />
            </Link>
          </th>
          <td>
            {rule.policyId !== '' && (
              <Link href={to('policies', rule.policyId)}>
                <Visible text={nameOfPolicy(rule.policyId) ?? `…${rule.policyId.slice(-8)}`} />
              </Link>
            )}
          </td>
          <td>{count(rule.acknowledgedCount + rule.resolvedCount + rule.dismissedCount)}</td>
          <td>
            {rule.falsePositiveRate === null
              ? '–'
              : text.rate(percent(rule.falsePositiveRate), rule.falsePositiveCount)}
          </td>
          <td>{count(rule.acknowledgedCount)}</td>
          <td>{count(rule.resolvedCount)}</td>
          <td>{count(rule.dismissedCount)}</td>
          <td>
            {rule.falsePositiveCount > 0 && rule.policyId !== '' && (
              <Link href={`${to('policies', rule.policyId)}?${new URLSearchParams({ rule: rule.ruleId })}`}>
                {text.replayException}
              </Link>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface ViolationSplitProps {
  violations: readonly RecordedViolation[];
  reload: () => void;
}

/** The list, with the chosen violation beside it. */
function ViolationSplit({ violations, reload }: ViolationSplitProps) {
  const { violations: text } = words.value;
  const asked = query.value.get('id');
  const isWide = matchMedia('(min-width: 900px)').matches;
  const chosen = asked ?? (isWide ? (violations[0]?.id ?? null) : null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const several = violations.filter(({ id }) => selected.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const end = () => {
    setSelected(new Set());
    reload();
  };
  return (
    <div class={asked === null && several.length === 0 ? 'split' : 'split chosen'}>
      <div class="split-list">
        <ol class="entries">
          {violations.map((violation) => (
            <li key={violation.id} class={violation.id === chosen ? 'current' : undefined}>
              {may('violations:triage') && (
                <input
                  type="checkbox"
                  checked={selected.has(violation.id)}
                  aria-label={`${text.select}: ${visibleText(violation.ruleName)}`}
                  onChange={() => toggle(violation.id)}
                />
              )}
              <Entry violation={violation} isCurrent={violation.id === chosen} />
            </li>
          ))}
        </ol>
      </div>
      <div class="split-detail">
        {several.length > 0 ? (
          <SeveralViolations violations={several} onEnd={end} />
        ) : chosen === null ? (
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

const views = ['all', 'rules'] as const;

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
    status: choiceInUrl('status', violationStatuses),
    severity: choiceInUrl('severity', severities),
    rule: query.value.get('rule') ?? undefined,
    policyId: query.value.get('policy') ?? undefined,
    integrationId: query.value.get('integration') ?? undefined,
    sessionId: query.value.get('session') ?? undefined,
    entityId: query.value.get('entity') ?? undefined,
    ...rangeInUrl(),
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
          choices={violationStatuses}
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
        <FilterFields>
          <PeriodFilter />
          <SeenFilter label={text.rule} name="rule" by="rule" />
          <NamedFilter label={words.value.proposals.policy} name="policy" path="/v1/policies" />
          <IntegrationFilter />
          <EntityFilter />
        </FilterFields>
      </div>
      <List resource={resource} none={isFiltered ? text.noneFound : text.none}>
        {(violations) => <ViolationSplit violations={violations} reload={resource.reload} />}
      </List>
    </>
  );
}
