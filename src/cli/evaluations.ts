import { type Command, Option } from 'commander';
import type { Evaluation, RecordedEvaluation, SearchPagination } from '../schemas/evaluations.ts';
import { enforcementActions } from '../schemas/words.ts';
import type { Call } from './api/call.ts';
import { createNames, idOf } from './api/find.ts';

import { examplesText, numberOption, textOption, withCertificate, wordOption } from './api-command.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { type Io, printable } from './io.ts';
import { addNoun, addRow } from './noun.ts';
import type { Column } from './output.ts';

const columns: Column<RecordedEvaluation>[] = [
  { title: 'ID', of: ({ evaluationRunId }) => evaluationRunId },
  { title: 'DECISION', of: ({ enforcementAction }) => enforcementAction, word: true },
  { title: 'SEVERITY', of: ({ severity }) => severity, word: true },
  { title: 'PHASE', of: ({ phase }) => phase, word: true },
  { title: 'TOOL', of: ({ tool }) => tool },
  { title: 'RULES', of: ({ violations }) => violations.map(({ ruleId }) => ruleId).join(',') },
  { title: 'TAGS', of: ({ dataTags }) => dataTags.join(',') },
  { title: 'SESSION', of: ({ sessionId }) => sessionId },
  { title: 'AT', of: ({ createdAt }) => createdAt },
  { title: 'INTEGRATION', of: ({ integrationId }) => integrationId },
];

export const addEvaluations = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'evaluations',
    alias: 'evaluation',
    summary: 'find what was decided',
    description:
      'Evaluations are the recorded decisions of all integrations. `assize explain` says why one came about.',
    examples: ['assize evaluations list --decision BLOCK --tool email.send'],
    commands: [
      {
        name: 'list',
        summary: 'find evaluations, newest first',
        examples: [
          'assize evaluations list --decision BLOCK --from 2030-01-31T00:00:00Z',
          'assize evaluations list --trace 4bf92f3577b34da6a3ce929d0e0e4736',
        ],
        options: [
          wordOption('--decision <decision>', 'only these', enforcementActions),
          textOption('--tool <name>', 'only those of a tool'),
          textOption('--rule <id>', 'only those that a rule reported something of'),
          textOption('--tag <tag>', 'only those in which this kind of data was found'),
          textOption('--integration <integration>', 'only those of an integration'),
          textOption('--entity <id>', 'only those of a governed entity'),
          textOption('--correlation <id>', 'only those with this correlationId'),
          textOption('--trace <id>', 'only those of a trace (32 hexadecimal digits)'),
          textOption('--from <time>', 'from when on, as 2030-01-31T12:00:00Z'),
          textOption('--to <time>', 'before when'),
          textOption('--before <id>', 'continue a list before this evaluation'),
          numberOption('--size <n>', 'evaluations to list (default 50)', [1, 200]),
        ],
        act: list,
      },
    ],
  });

/** `assize evaluate`. With policy files it needs neither a server nor a database. */
export const addEvaluate = (program: Command, io: Io): Command =>
  withCertificate(program.command('evaluate'))
    .summary('evaluate actions, on a server or by policy files alone')
    .description(
      'Evaluates one action, or several one after another in one session, and prints each decision. With --policy it needs neither a server nor a database, and nothing is recorded. On a server it needs the key of an integration.',
    )
    .argument('<input...>', 'the input of an action as JSON, or - to read it from standard input')
    .option('--json', 'print JSON in the format of the REST API')
    .addOption(textOption('--policy <file...>', 'decide by these policy files, enforced'))
    .addOption(textOption('--session <id>', 'the session on the server to evaluate in'))
    .addOption(textOption('--fail', 'exit with 1 unless every decision is ALLOW or WARN'))
    .addOption(new Option('--url <url>', 'URL of the server').env('ASSIZE_URL'))
    .option('--key <key>', 'key of an integration; better set in the environment (ASSIZE_KEY)')
    .addHelpText(
      'after',
      examplesText([
        `assize evaluate '{"tool":"shell"}'`,
        `assize evaluate '{"tool":"shell"}' --policy policies/runaway-agents.yaml`,
      ]),
    )
    .action(async (texts: string[], options: EvaluateOptions & { json?: boolean }) => {
      const [{ createOutput }, { evaluate }] = await Promise.all([
        import('./output.ts'),
        import('./evaluate.ts'),
      ]);
      const out = createOutput(io, options.json ?? false);
      try {
        await evaluate(texts, options, out);
      } finally {
        out.close();
      }
    });

interface Filters {
  decision?: string;
  tool?: string;
  rule?: string;
  tag?: string;
  integration?: string;
  entity?: string;
  correlation?: string;
  trace?: string;
  from?: string;
  to?: string;
  before?: string;
  size?: number;
}

async function list({ http, out, options }: Call<Filters>): Promise<void> {
  const { decision, integration, entity, correlation, trace, before, size = 50, ...others } = options;
  const { tool, rule, tag, from, to } = others;
  const integrationId = integration === undefined ? undefined : await idOf(http, 'integrations', integration);
  const named = { enforcementAction: decision, entityId: entity, correlationId: correlation, traceId: trace };
  const filters = { tool, rule, tag, from, to, integrationId, ...named };
  const found: RecordedEvaluation[] = [];
  let next = before ?? null;
  do {
    const { data, pagination } = await http.send<RecordedEvaluation[]>({
      method: 'GET',
      path: '/v1/evaluations',
      // With a page, because what no filter narrows would be the latest ones, oldest first.
      query: { ...filters, page: 1, size: size - found.length, before: next ?? undefined },
    });
    found.push(...data);
    next = (pagination as SearchPagination).next;
    // A search stops early where it would slow down others.
  } while (next !== null && found.length < size);
  const { withNames } = createNames(http);
  const shown = (item: RecordedEvaluation) => withNames(item, { integrationId: 'integrations' });
  out.list(out.json ? found : await Promise.all(found.map(shown)), columns, 'There are no such evaluations.');
  if (next !== null) out.note(`there are more: --before ${next} shows the next`);
}

export const addExplain = (program: Command, io: Io): void =>
  addRow(program, io, {
    name: 'explain <id>',
    summary: 'explain the decision of an evaluation',
    examples: ['assize explain 01980000-0000-7000-8000-000000000000'],
    request: 'GET /v1/evaluations/{id}',
    defaults: { explain: 'true' },
    print: (evaluation: Evaluation, { out }: Call) =>
      out.json ? out.record(evaluation, []) : out.text(`${printable(evaluation.explanation?.text ?? '')}\n`),
  });
