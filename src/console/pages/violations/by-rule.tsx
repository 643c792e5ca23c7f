import type { RuleViolations } from '../../../schemas/violations.ts';
import { call } from '../../data/api.ts';
import { count, percent } from '../../data/format.ts';
import { useResource } from '../../data/resource.ts';
import { to } from '../../data/route.ts';
import { Link } from '../../parts/link.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** How often each rule was right, as operators judged it. */
export function RulesByViolations() {
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
      headings={[columns.rule, text.rightness, columns.acknowledged, columns.resolved, columns.dismissed]}
    >
      {rules.map((rule) => (
        <tr key={`${rule.policyId} ${rule.ruleId}`}>
          <th scope="row">
            <Link href={`${to('violations')}?${new URLSearchParams({ rule: rule.ruleId })}`}>
              <Visible text={rule.ruleId} />
            </Link>
          </th>
          <td>
            {rule.falsePositiveRate === null
              ? '–'
              : text.rate(percent(rule.falsePositiveRate), rule.falsePositiveCount)}
          </td>
          <td>{count(rule.acknowledgedCount)}</td>
          <td>{count(rule.resolvedCount)}</td>
          <td>{count(rule.dismissedCount)}</td>
        </tr>
      ))}
    </Table>
  );
}
