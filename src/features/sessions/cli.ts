import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { createNames } from '../../cli/api/find.ts';
import { numberOption, textOption, wordOption } from '../../cli/api-command.ts';
import { followLog, mostAtOnce, usualLast } from '../../cli/follow.ts';
import { cut, type Io, printable } from '../../cli/io.ts';
import { addNoun, integrationField } from '../../cli/noun.ts';
import type { Column, Output } from '../../cli/output.ts';
import { type Http, path } from '../../client/http.ts';
import type { ListedEvaluation, RecordedEvaluation } from '../../schemas/evaluations.ts';
import type { SessionGrant } from '../../schemas/review-terms.ts';
import type {
  EndedEvaluationSession,
  EvaluationSession,
  ListedEvaluationSession,
  RecentAction,
} from './schema.ts';
import { endStatuses, sessionStatuses } from './words.ts';

const someId = '01980000-0000-7000-8000-000000000000';

const columns: Column<ListedEvaluationSession | EvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
  { title: 'WARNED', of: ({ warningCount }) => warningCount },
  { title: 'HELD', of: ({ reviewCount }) => reviewCount },
  { title: 'REJECTED', of: ({ rejectionCount }) => rejectionCount },
  { title: 'BLOCKED', of: ({ blockCount }) => blockCount },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
  { title: 'STARTED', of: ({ startedAt }) => startedAt },
];

const names = { integrationId: 'integrations' } as const;

const fields: Column<EvaluationSession>[] = [
  ...columns,
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'EXTERNAL ID', of: ({ externalSessionId }) => externalSessionId },
  { title: 'ENTITY', of: ({ entityId }) => entityId },
  { title: 'PARENT', of: ({ parentSessionId }) => parentSessionId },
  { title: 'CONTINUES', of: ({ previousSessionId }) => previousSessionId },
  { title: 'LABELS', of: ({ labels }) => labels.join(', ') },
  {
    title: 'TOOLS (LET THROUGH/ATTEMPTS)',
    of: ({ attemptCounts, toolCounts }) =>
      Object.entries(attemptCounts)
        .map(([tool, attempts]) => `${tool} (${toolCounts[tool] ?? 0}/${attempts})`)
        .join(', '),
  },
  { title: 'METADATA', of: ({ metadata }) => JSON.stringify(metadata) },
];

const endedFields: Column<EndedEvaluationSession>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status }) => status, word: true },
  { title: 'ENDED', of: ({ endedAt }) => endedAt },
  { title: 'ACTIONS', of: ({ actionCount }) => actionCount },
];

const actionColumns: Column<RecentAction>[] = [
  { title: 'SEQ', of: ({ seq }) => seq },
  { title: 'AT', of: ({ at }) => at },
  { title: 'ACTION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'TOOL', of: ({ tool, targetKey }) => tool ?? targetKey },
  { title: 'DATA TAGS', of: ({ dataTags }) => dataTags.join(', ') },
];

const grantColumns: Column<SessionGrant>[] = [
  { title: 'GRANT', of: ({ id }) => id },
  { title: 'RULE', of: ({ ruleId }) => ruleId },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'USES LEFT', of: ({ usesLeft }) => usesLeft ?? 'any' },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt ?? 'with the session' },
  { title: 'REVIEW', of: ({ reviewRequestId }) => reviewRequestId },
];

export const addSessions = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'sessions',
    alias: 'session',
    summary: 'list and follow what agents did',
    description:
      'Evaluation sessions show what agents did. An operator sees all sessions, an integration only its own.',
    examples: ['assize sessions list --status ACTIVE', 'assize sessions tail'],
    commands: [
      {
        name: 'list',
        summary: 'list sessions, newest first',
        examples: ['assize sessions list', 'assize sessions list --status ACTIVE --integration demo'],
        options: [
          wordOption('--status <status>', 'only these', sessionStatuses),
          textOption('--integration <integration>', 'only those of an integration'),
          textOption('--entity <id>', 'only those of a governed entity'),
          textOption('--external-id <text>', 'only sessions with this externalSessionId'),
          textOption('--parent <id>', 'only those opened below a session'),
        ],
        request: 'GET /v1/evaluation-sessions',
        fields: {
          integration: integrationField,
          entity: 'entityId',
          externalId: 'externalSessionId',
          parent: 'parentSessionId',
        },
        columns,
        names,
        none: 'There are no such sessions.',
      },
      {
        name: 'show <id>',
        summary: 'show a session, its labels and grants, and what was done in it',
        examples: [`assize sessions show ${someId}`],
        request: 'GET /v1/evaluation-sessions/{id}',
        print,
      },
      {
        name: 'end <id>',
        summary: 'end a session and those below it: further actions in them are refused',
        examples: [`assize sessions end ${someId}`, `assize sessions end ${someId} --status TERMINATED`],
        options: [wordOption('--status <status>', 'how it ended (default COMPLETED)', endStatuses)],
        request: 'POST /v1/evaluation-sessions/{id}/end',
        columns: endedFields,
      },
      {
        name: 'remove-label <id> <label>',
        summary: 'take a label from a session',
        examples: [`assize sessions remove-label ${someId} UNTRUSTED`],
        request: 'POST /v1/evaluation-sessions/{id}/remove-label',
        columns: fields,
        names,
      },
      {
        name: 'remove-grant <id> <grant>',
        summary: 'take a grant back: what it would have let through is held again',
        examples: [`assize sessions remove-grant ${someId} 01980000-0000-7000-8000-000000000001`],
        request: 'POST /v1/evaluation-sessions/{id}/remove-grant',
        fields: { grant: 'grantId' },
        columns: fields,
        names,
      },
      {
        name: 'tail [id]',
        summary: 'follow evaluations of one session or of all, until Ctrl-C',
        examples: [
          'assize sessions tail',
          `assize sessions tail ${someId} --last 20`,
          'assize sessions tail --json',
        ],
        options: [
          numberOption('--last <n>', 'number of past evaluations to show first (default 10)', [0, 200]),
          textOption('--no-follow', 'exit instead of waiting for new ones'),
        ],
        act: tail,
      },
    ],
  });

/** The session, then its open grants, then its latest actions in the order they were done. */
async function print(session: EvaluationSession, { http, out }: Call): Promise<void> {
  if (out.json) return out.record(session, fields);
  out.record(await createNames(http).withNames(session, names), fields);
  if (session.grants.length > 0) {
    out.text('\n');
    out.list(session.grants, grantColumns, '');
  }
  if (session.recentActions.length > 0) {
    out.text('\n');
    out.list(session.recentActions.toReversed(), actionColumns, '');
  }
}

interface TailOptions {
  last?: number;
  follow?: boolean;
}

async function tail({ http, out, options, args: [sessionId] }: Call<TailOptions>): Promise<void> {
  const next = sessionId === undefined ? followAll(http) : followSession(http, sessionId);
  const { last: first = usualLast, follow } = options;
  const { nameOf } = createNames(http);
  const lineOf = async (
    evaluation: ListedEvaluation,
    { style, terminal, width }: Output,
  ): Promise<string> => {
    const { integrationId } = evaluation as Partial<RecordedEvaluation>;
    const integration = integrationId === undefined ? null : await nameOf('integrations', integrationId);
    return lineWith(evaluation, integration, { style, terminal, width });
  };
  if (out.width !== null && out.width < widestLine) out.note('Cut to fit: --wide shows all.');
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

/** Characters of a line with all columns, when nothing in it is longer than usual. */
const widestLine = 183;

/**
 * On a terminal the columns that have few values are as wide as the widest of them, and the rest is last. One that is
 * narrower than all of them gets the time of day, the decision, who, the tool and the rules, cut to fit.
 */
function lineWith(
  evaluation: ListedEvaluation,
  integration: string | null,
  { style, terminal, width }: Pick<Output, 'style' | 'terminal' | 'width'>,
): string {
  const { createdAt, enforcementAction, severity, tool, targetKey, dataTags, violations, sessionId } =
    evaluation;
  const isNarrow = width !== null && width < widestLine;
  const decision = { text: enforcementAction, width: 17, show: style.word };
  const who = integration === null ? [] : [{ text: printable(integration), width: isNarrow ? 12 : 16 }];
  const done = { text: printable(tool ?? targetKey ?? '-'), width: isNarrow ? 18 : 24 };
  const rules = { text: printable(violations.map(({ ruleId }) => ruleId).join(', ')) || '-', width: 24 };
  const few = [{ text: createdAt.slice(11, 19), width: 8, show: style.faint }, decision, ...who, done];
  const columns: { text: string; width: number; show?: (text: string) => string }[] = isNarrow
    ? [...few, { ...rules, width: few.reduce((left, column) => left - column.width - 2, width) }]
    : [
        { text: createdAt, width: 24, show: style.faint },
        decision,
        { text: severity ?? '-', width: 8, show: style.word },
        ...who,
        done,
        { text: printable(dataTags.join(', ')) || '-', width: 20 },
        rules,
        { text: sessionId ?? '-', width: 36, show: style.faint },
      ];
  if (!terminal) return columns.map(({ text }) => text).join('\t');
  const fitted = (text: string, most: number) => (isNarrow ? cut(text, Math.max(most, 1)) : text);
  return columns
    .map(({ text, width, show = (plain) => plain }) => {
      const shown = fitted(text, width);
      return show(shown) + ' '.repeat(Math.max(0, width - shown.length));
    })
    .join('  ')
    .trimEnd();
}
