import type { PolicyCheck } from '../../../schemas/policies.ts';
import type { Checked } from '../../data/policy-check.ts';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

type Issue = PolicyCheck['issues'][number];

/** What the service says about the document: mistakes, hints, and how its tests went. */
export function CheckResult({ checked }: { checked: Checked }) {
  const { policies: text } = words.value;
  return (
    <div class="check-result" aria-live="polite" aria-busy={checked.is === 'checking'}>
      {checked.is === 'failed' && <Problem error={checked.error} />}
      {checked.last === null ? <p class="quiet">{text.checking}</p> : <Found check={checked.last} />}
    </div>
  );
}

function Found({ check: { issues, warnings, tests, valid } }: { check: PolicyCheck }) {
  const { policies: text } = words.value;
  const passed = tests.filter((test) => test.passed).length;
  return (
    <>
      {valid ? (
        <p class="good-line">{text.valid}</p>
      ) : (
        <Issues title={text.issues(issues.length)} issues={issues} tone="bad" />
      )}
      {warnings.length > 0 && <Issues title={text.warnings(warnings.length)} issues={warnings} tone="warn" />}
      {tests.length === 0 ? (
        <p class="quiet">{text.noTests}</p>
      ) : (
        <>
          <h2>{text.tests(passed, tests.length)}</h2>
          <ul class="tests">
            {tests.map((test, place) => (
              <li key={place} class={test.passed ? 'passed' : 'failed'}>
                <span class="visually-hidden">{test.passed ? text.passedTest : text.failedTest}: </span>
                <Visible text={test.name} />
                {test.message && (
                  <p class="quiet">
                    <Visible text={test.message} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Issues({ title, issues, tone }: { title: string; issues: readonly Issue[]; tone: 'bad' | 'warn' }) {
  const { policies: text } = words.value;
  return (
    <>
      <h2>{title}</h2>
      <ul class={`issues ${tone}`}>
        {issues.map((issue) => (
          <li key={`${issue.line}:${issue.column}:${issue.message}`}>
            <span class="quiet">{text.line(issue.line)}</span> <Visible text={issue.message} />
            {issue.hint && (
              <p class="quiet">
                <Visible text={issue.hint} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
