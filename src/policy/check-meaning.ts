import { checkApproval } from './check-approval.ts';
import { checkTests, listOf } from './check-tests.ts';
import { checkCounter } from './counters/check-counter.ts';
import { readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';
import { isRecord } from './records.ts';

/** Checks what a schema cannot express: ids are unique, a rule does something, the times in tests exist. */
export function checkMeaning(value: unknown, report: OnIssue): void {
  const document = isRecord(value) ? value : {};
  const rules = listOf(document.rules);
  const seen = new Map<unknown, number>();
  for (const [index, rule] of rules.entries()) {
    const path = ['rules', index];
    const where = readablePath(path);
    checkApproval(rule, path, report);
    const { id } = rule;
    const first = seen.get(id);
    if (typeof id === 'string' && first !== undefined) {
      const message = `${where}: the id ${JSON.stringify(id)} is already that of rules[${first}]`;
      report([...path, 'id'], { code: 'duplicate_id', message });
    }
    if (first === undefined) seen.set(id, index);
    const does = ['effect', 'escalate'].filter((key) => Object.hasOwn(rule, key));
    if (does.length === 1 || (does.length === 0 && Object.hasOwn(rule, 'label'))) continue;
    const message =
      does.length === 0
        ? `${where}: a rule needs one of "effect", "escalate" and "label"`
        : `${where}: a rule has at most one of "effect" and "escalate", this one has both`;
    report(path, { code: 'one_of', message });
  }
  const counters = isRecord(document.counters) ? document.counters : {};
  for (const [name, counter] of Object.entries(counters))
    if (isRecord(counter)) checkCounter(counter, ['counters', name], report);
  checkTests(listOf(document.tests), counters, report);
}
