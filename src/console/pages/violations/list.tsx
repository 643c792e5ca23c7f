import { useState } from 'preact/hooks';
import type { RecordedViolation, RuleViolations } from '../../../features/violations/schema.ts';
import { violationStatuses } from '../../../features/violations/words.ts';
import { severities } from '../../../schemas/words.ts';
import { call, mostListed } from '../../data/api.ts';
import { count, percent, shortId } from '../../data/format.ts';
import { nameOfIntegration, nameOfPolicy } from '../../data/names.ts';
import { may } from '../../data/operator/sign-in.ts';
import { useList, useResource } from '../../data/resource.ts';
import { choiceInUrl, query, rangeInUrl, setQuery, to } from '../../data/route.ts';
import { countsOf, lastSlots, readStats } from '../../data/statistics.ts';
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
import {
  ClearFilters,
  EntryTools,
  FilterFields,
  Find,
  List,
  ListTable,
  useEntry,
} from '../../parts/list/list.tsx';
import { type Column, isFound } from '../../parts/list/table.tsx';
import { Empty } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import { SeveralViolations, ViolationDetail, violationTones } from './detail.tsx';

/** A rule with what it reported, and what operators made of that. */
interface JudgedRule extends RuleViolations {
  policyName: string;
  /** Undefined when others reported so much more that it is not named. */
  reported: number | undefined;
}

const reportedDays = 30;

/** The rules that operators judged, those that were wrong most often first; then those that reported most and nobody judged. */
async function readRules(signal: AbortSignal): Promise<JudgedRule[]> {
  const query = { size: mostListed };
  const [{ data: judged }, { data: policies }, series] = await Promise.all([
    call<RuleViolations[]>('/v1/violations/rules', { signal }),
    call<{ id: string; name: string }[]>('/v1/policies', { query, signal }),
    readStats('rule', lastSlots(reportedDays, 'day'), { signal, background: true }),
  ]);
  const reportsOf = countsOf(series);
  const nameOf = (id: string) => policies.find((policy) => policy.id === id)?.name ?? nameOfPolicy(id) ?? '';
  const known = judged.map((rule) => {
    const policyName = nameOf(rule.policyId);
    return { ...rule, policyName, reported: reportsOf(`${policyName}/${rule.ruleId}`) };
  });
  const others = series
    .filter(({ name }) => !known.some(({ policyName, ruleId }) => `${policyName}/${ruleId}` === name))
    .map(({ name, evaluations }) => {
      const end = name.lastIndexOf('/');
      const policyName = name.slice(0, end);
      const policyId = policies.find((policy) => policy.name === policyName)?.id ?? '';
      return { ...unjudged, policyName, policyId, ruleId: name.slice(end + 1), reported: evaluations };
    });
  return [...known, ...others];
}

const unjudged = {
  acknowledgedCount: 0,
  resolvedCount: 0,
  dismissedCount: 0,
  falsePositiveCount: 0,
  falsePositiveRate: null,
};

/** How much each rule reported, and how often it was right, as operators judged it. */
function RulesByViolations() {
  const { violations: text } = words.value;
  const resource = useResource('violations by rule', async ({ signal }) => {
    const data = await readRules(signal);
    return { data, pagination: { total: data.length, page: 1, size: data.length } };
  });
  return (
    <>
      <p class="quiet">{text.rulesText}</p>
      <ListTable
        title={text.views.rules}
        columns={ruleColumns()}
        keyOf={({ policyName, policyId, ruleId }) => `${policyName} ${policyId} ${ruleId}`}
        resource={resource}
        none={text.none}
      />
    </>
  );
}

function ruleColumns(): Column<JudgedRule>[] {
  const { violations: text } = words.value;
  const { columns } = text;
  return [
    {
      id: 'rule',
      heading: columns.rule,
      value: ({ ruleId }) => ruleId,
      show: ({ ruleId, policyId }) => (
        <Link
          href={`${to('violations')}?${new URLSearchParams({ rule: ruleId, ...(policyId && { policy: policyId }) })}`}
        >
          <Visible text={ruleId} />
        </Link>
      ),
    },
    {
      id: 'policy',
      heading: words.value.proposals.policy,
      value: ({ policyName }) => policyName,
      show: ({ policyId, policyName }) =>
        policyId === '' ? (
          <Visible text={policyName} />
        ) : (
          <Link href={to('policies', policyId)}>
            <Visible text={policyName || `…${shortId(policyId)}`} />
          </Link>
        ),
    },
    {
      id: 'reported',
      heading: columns.reported,
      kind: 'number',
      value: ({ reported }) => reported ?? 0,
      show: ({ reported }) => (reported === undefined ? '–' : count(reported)),
    },
    { id: 'triaged', heading: columns.triaged, kind: 'number', value: triaged },
    {
      id: 'rate',
      heading: text.rightness,
      kind: 'number',
      value: ({ falsePositiveRate }) => falsePositiveRate ?? -1,
      text: falsePositives,
      show: falsePositives,
    },
    {
      id: 'acknowledged',
      heading: columns.acknowledged,
      kind: 'number',
      value: ({ acknowledgedCount }) => acknowledgedCount,
    },
    {
      id: 'resolved',
      heading: columns.resolved,
      kind: 'number',
      value: ({ resolvedCount }) => resolvedCount,
    },
    {
      id: 'dismissed',
      heading: columns.dismissed,
      kind: 'number',
      value: ({ dismissedCount }) => dismissedCount,
    },
    {
      id: 'exception',
      heading: columns.next,
      value: ({ falsePositiveCount }) => falsePositiveCount,
      text: ({ falsePositiveCount }) => (falsePositiveCount > 0 ? text.replayException : ''),
      show: ({ falsePositiveCount, policyId, ruleId }) =>
        falsePositiveCount > 0 &&
        policyId !== '' && (
          <Link href={`${to('policies', policyId)}?${new URLSearchParams({ rule: ruleId })}`}>
            {text.replayException}
          </Link>
        ),
    },
  ];
}

const triaged = ({ acknowledgedCount, resolvedCount, dismissedCount }: RuleViolations): number =>
  acknowledgedCount + resolvedCount + dismissedCount;

const falsePositives = ({ falsePositiveRate, falsePositiveCount }: RuleViolations): string =>
  falsePositiveRate === null
    ? '–'
    : words.value.violations.rate(percent(falsePositiveRate), falsePositiveCount);

interface ViolationSplitProps {
  violations: readonly RecordedViolation[];
  reload: () => void;
}

/** The list, with the chosen violation beside it. */
function ViolationSplit({ violations: listed, reload }: ViolationSplitProps) {
  const { violations: text, table } = words.value;
  const violations = listed.filter(isSearched);
  const asked = query.value.get('id');
  const chosen = useEntry(violations);
  // With what it was when it was selected: later ones may push it to the next page.
  const [selected, setSelected] = useState<ReadonlyMap<string, RecordedViolation>>(new Map());
  const several = [...selected.values()].map((one) => listed.find(({ id }) => id === one.id) ?? one);
  const toggle = (violation: RecordedViolation) => {
    const next = new Map(selected);
    if (!next.delete(violation.id)) next.set(violation.id, violation);
    setSelected(next);
  };
  const end = () => {
    setSelected(new Map());
    reload();
  };
  const areAll = violations.length > 0 && violations.every(({ id }) => selected.has(id));
  if (violations.length === 0)
    return (
      <Empty title={table.noMatch}>
        <ClearFilters />
      </Empty>
    );
  return (
    <div class={asked === null && several.length === 0 ? 'split' : 'split chosen'}>
      <div class="split-list">
        {may('violations:triage') && (
          <label class="check select-all">
            <input
              type="checkbox"
              checked={areAll}
              onChange={() => setSelected(new Map(areAll ? [] : violations.map((one) => [one.id, one])))}
            />{' '}
            {text.selectAll(violations.length)}
          </label>
        )}
        <ol class="entries">
          {violations.map((violation) => (
            <li key={violation.id} class={violation.id === chosen ? 'current' : undefined}>
              {may('violations:triage') && (
                <input
                  type="checkbox"
                  checked={selected.has(violation.id)}
                  aria-label={`${text.select}: ${visibleText(violation.ruleName)}`}
                  onChange={() => toggle(violation)}
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

function csvColumns(): Column<RecordedViolation>[] {
  const { violations: text, severities: names, common, evaluations } = words.value;
  return [
    { id: 'at', heading: evaluations.columns.at, value: ({ createdAt }) => createdAt },
    { id: 'rule', heading: text.rule, value: ({ ruleId }) => ruleId },
    { id: 'policy', heading: words.value.proposals.policy, value: ({ policyName }) => policyName },
    { id: 'severity', heading: text.severity, value: ({ severity }) => names[severity] },
    { id: 'status', heading: common.status, value: ({ status }) => text.statuses[status] },
    { id: 'tool', heading: text.tool, value: ({ tool }) => tool ?? '' },
    { id: 'why', heading: evaluations.columns.why, value: ({ message }) => message },
    {
      id: 'integration',
      heading: evaluations.columns.integration,
      value: ({ integrationId }) => nameOfIntegration(integrationId) ?? integrationId,
    },
    { id: 'evaluation', heading: text.evaluation, value: ({ evaluationRunId }) => evaluationRunId },
  ];
}

const isSearched = ({ ruleName, ruleId, message, tool, policyName, integrationId }: RecordedViolation) =>
  isFound([ruleName, ruleId, message, tool, policyName, nameOfIntegration(integrationId)]);

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
        <Find />
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
        <EntryTools
          title={text.title}
          columns={csvColumns()}
          rows={resource.state.is === 'ready' ? resource.state.data.data.filter(isSearched) : []}
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
