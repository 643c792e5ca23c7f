import { lengthMs } from './counters/counter-source.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';
import { isRecord } from './records.ts';

const leastMs = 60_000;
const mostMs = 7 * 86_400_000;

/** Checks what the schema of an approval cannot express: where it stands, and how long a review may wait. */
export function checkApproval(
  rule: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  report: OnIssue,
): void {
  if (!Object.hasOwn(rule, 'approval')) return;
  const at = [...path, 'approval'];
  if (rule.effect !== 'APPROVAL_REQUIRED') {
    const message = `${readablePath(at)}: belongs to a rule that holds actions`;
    report(at, { code: 'misplaced', message, hint: 'add effect: APPROVAL_REQUIRED, or leave it out' }, 'key');
  }
  const { expiresIn } = isRecord(rule.approval) ? rule.approval : {};
  if (typeof expiresIn !== 'string' || !/^[1-9][0-9]{0,8}[smhd]$/.test(expiresIn)) return;
  const ms = lengthMs(expiresIn);
  if (ms >= leastMs && ms <= mostMs) return;
  const message = `${readablePath([...at, 'expiresIn'])}: has to be from 60s to 7d`;
  report([...at, 'expiresIn'], { code: 'out_of_range', message });
}
