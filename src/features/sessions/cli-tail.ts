import type { Call } from '../../cli/api/call.ts';
import { createNames } from '../../cli/api/names.ts';
import { followLog, mostAtOnce, usualLast } from '../../cli/follow.ts';
import { printable } from '../../cli/io.ts';
import type { Output } from '../../cli/output.ts';
import type { Http } from '../../client/http.ts';
import { path } from '../../client/http.ts';
import type { ListedEvaluation, RecordedEvaluation } from '../../schemas/evaluations.ts';

interface TailOptions {
  last?: number;
  follow?: boolean;
}

export async function tail({ http, out, options, args: [sessionId] }: Call<TailOptions>): Promise<void> {
  const next = sessionId === undefined ? followAll(http) : followSession(http, sessionId);
  const { last: first = usualLast, follow } = options;
  const { nameOf } = createNames(http);
  const lineOf = async (evaluation: ListedEvaluation, { style, terminal }: Output): Promise<string> => {
    const { integrationId } = evaluation as Partial<RecordedEvaluation>;
    const integration = integrationId === undefined ? null : await nameOf('integrations', integrationId);
    return lineWith(evaluation, integration, { style, terminal });
  };
  await followLog(out, { next, lineOf }, { first, follow });
}

/** Returns the last evaluations on the first call, and on each later one those recorded since the call before. */
type Next = (size: number) => Promise<readonly ListedEvaluation[]>;

function followAll(http: Http): Next {
  let after: string | undefined;
  let first = true;
  return async (size) => {
    const begins = first;
    first = false;
    const { data } = await http.send<RecordedEvaluation[]>({
      method: 'GET',
      path: '/v1/evaluations',
      // Even who wants to see none of the last has to learn where the end is.
      query: { after, size: Math.max(1, size) },
    });
    after = data.at(-1)?.evaluationRunId ?? after;
    return begins && size === 0 ? [] : data;
  };
}

function followSession(http: Http, sessionId: string): Next {
  let seen: number | null = null;
  const read = (page: number, size: number) =>
    http.send<ListedEvaluation[]>({
      method: 'GET',
      path: path`/v1/evaluation-sessions/${sessionId}/evaluations`,
      query: { page, size },
    });
  return async (size) => {
    if (seen === null) {
      const { data, pagination } = await read(1, Math.max(1, size));
      seen = pagination?.total ?? 0;
      return size === 0 ? [] : data.toReversed();
    }
    // Newest first, so what is new may reach over several pages, which move while more comes: the place of an evaluation
    // among all of its session is counted from the end.
    const known = seen;
    const fresh = new Map<number, ListedEvaluation>();
    for (let page = 1; ; page++) {
      const { data, pagination } = await read(page, mostAtOnce);
      const newest = (pagination?.total ?? 0) - (page - 1) * mostAtOnce;
      for (const [index, evaluation] of data.entries()) fresh.set(newest - index, evaluation);
      if (data.length < mostAtOnce || newest - data.length <= known) break;
    }
    const found = [...fresh].filter(([place]) => place > known).sort(([a], [b]) => a - b);
    seen = found.at(-1)?.[0] ?? seen;
    return found.map(([, evaluation]) => evaluation);
  };
}

/** On a terminal the columns that have few values are as wide as the widest of them, and the rest is last. */
function lineWith(
  evaluation: ListedEvaluation,
  integration: string | null,
  { style, terminal }: Pick<Output, 'style' | 'terminal'>,
): string {
  const { createdAt, enforcementAction, severity, tool, targetKey, dataTags, violations, sessionId } =
    evaluation;
  const named = integration === null ? [] : [{ text: printable(integration), width: 16 }];
  const columns: { text: string; width: number; show?: (text: string) => string }[] = [
    { text: createdAt, width: 24, show: style.faint },
    { text: enforcementAction, width: 17, show: style.word },
    { text: severity ?? '-', width: 8, show: style.word },
    ...named,
    { text: printable(tool ?? targetKey ?? '-'), width: 24 },
    { text: printable(dataTags.join(', ')) || '-', width: 20 },
    { text: printable(violations.map(({ ruleId }) => ruleId).join(', ')) || '-', width: 24 },
    { text: sessionId ?? '-', width: 36, show: style.faint },
  ];
  if (!terminal) return columns.map(({ text }) => text).join('\t');
  return columns
    .map(
      ({ text, width, show = (plain) => plain }) => show(text) + ' '.repeat(Math.max(0, width - text.length)),
    )
    .join('  ')
    .trimEnd();
}
