import type { Call } from '../../cli/api/call.ts';
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

function lineOf(evaluation: ListedEvaluation, { style, terminal }: Output): string {
  const { createdAt, enforcementAction, severity, tool, targetKey, dataTags, violations, sessionId } =
    evaluation;
  return [
    style.faint(createdAt),
    style.word(enforcementAction),
    style.word(severity ?? '-'),
    printable(tool ?? targetKey ?? '-'),
    printable(dataTags.join(', ')) || '-',
    style.faint(sessionId ?? '-'),
    printable(violations.map(({ reason }) => reason).join(', ')) || '-',
  ].join(terminal ? '  ' : '\t');
}
