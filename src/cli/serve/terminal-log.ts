import { printable } from '../io.ts';

/** Writes the service's log lines for a person: time, level, message, and below it what else a line has. */
export function terminalLog(out: { write(text: string): unknown }): { write(line: string): void } {
  return { write: (line) => void out.write(readable(line)) };
}

const levels: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** A line that is no JSON object is left as it is. */
export function readable(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, time, msg, err, ...rest } = entry;
  const at = new Date(Number(time)).toTimeString().slice(0, 8);
  const { type, subject, data } = (rest.event ?? {}) as Partial<LoggedEvent>;
  if (data?.enforcementAction) return `${at} ${decisionOf(data)}\n`;
  if (type !== undefined) {
    const names = [data?.tool ?? data?.name, data?.integrationName].filter(Boolean).map(textOf);
    return `${at} info  ${textOf(type)}  ${names.join('  ') || textOf(subject)}\n`;
  }
  const details = Object.entries(rest).map(([name, value]) => `  ${printable(name)}: ${textOf(value)}\n`);
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
  const cause = stack ?? message;
  for (const part of cause?.split('\n') ?? []) details.push(`  ${printable(part)}\n`);
  return `${at} ${(levels[Number(level)] ?? '').padEnd(5)} ${textOf(msg ?? '')}\n${details.join('')}`;
}

interface LoggedEvent {
  type: string;
  subject: string;
  data: EventData;
}

/** The part of an event that its line shows: its names, and the decision if the event is about one. */
interface EventData {
  name?: string;
  enforcementAction?: string;
  tool?: string | null;
  phase?: string;
  integrationName?: string;
  violations?: readonly { ruleId?: string }[];
  violationCount?: number;
}

const widestAction = 'APPROVAL_REQUIRED'.length;

/** One line: the decision, the tool, the agent and the rule. */
function decisionOf({
  enforcementAction,
  tool,
  phase,
  integrationName,
  violations,
  violationCount = 0,
}: EventData) {
  const [rule] = violations ?? [];
  const more = violationCount > 1 ? ` and ${violationCount - 1} more` : '';
  const words = [tool ?? phase, integrationName, rule && `${rule.ruleId}${more}`].filter(Boolean);
  return `${textOf(enforcementAction).padEnd(widestAction)}  ${words.map(textOf).join('  ')}`;
}

const textOf = (value: unknown): string =>
  printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
