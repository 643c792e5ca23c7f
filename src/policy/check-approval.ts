import { dayMs, minuteMs } from '../schemas/durations.ts';
import { lengthMs } from './counters/counter-source.ts';
import { type DocumentPath, readablePath } from './policy-issue.ts';
import type { OnIssue } from './read-document.ts';
import { isRecord } from './records.ts';

const leastMs = minuteMs;
const mostMs = 7 * dayMs;

/** Checks what the schema of an approval cannot express: where it stands, how long a review may wait, and that a grant ends. */
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
  const { expiresIn, grant } = isRecord(rule.approval) ? rule.approval : {};
  checkLength(expiresIn, [...at, 'expiresIn'], report);
  if (!isRecord(grant)) return;
  checkLength(grant.for, [...at, 'grant', 'for'], report);
  if (Object.hasOwn(grant, 'for') || Object.hasOwn(grant, 'uses')) return;
  const message = `${readablePath([...at, 'grant'])}: a grant needs an end: "for", "uses" or both`;
  report([...at, 'grant'], { code: 'unbounded', message });
}

function checkLength(length: unknown, path: DocumentPath, report: OnIssue): void {
  if (typeof length !== 'string' || !/^[1-9][0-9]{0,8}[smhd]$/.test(length)) return;
  const ms = lengthMs(length);
  if (ms >= leastMs && ms <= mostMs) return;
  report(path, { code: 'out_of_range', message: `${readablePath(path)}: has to be from 60s to 7d` });
}
