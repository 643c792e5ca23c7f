import type { Command } from 'commander';
import type { Call, TargetOptions } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { addTarget, examplesText, textOption, withConnection, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addNoun, addRow, type Row } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import type { NamedPolicy } from '../../cli/prove/prove.ts';
import { path } from '../../client/http.ts';
import { parseForWriting } from '../../json/parse.ts';
import { policyModes } from '../../schemas/words.ts';
import {
  draftWarning,
  policyColumns,
  policyFields,
  policyStateFields,
  versionColumns,
  versionIn,
} from './cli-columns.ts';
import type { HousePolicy, Policy, PolicySummary } from './schema.ts';
import { policyStatuses } from './words.ts';

export function addPolicies(program: Command, io: Io): void {
  const policies = addNoun(program, io, {
    name: 'policies',
    alias: 'policy',
    summary: 'check, test and change policies',
    description:
      'Policies decide what is allowed. Name a policy by its id, or by its name if that is unique among policies that are not DEPRECATED.',
    examples: [
      'assize policies check policies/*.yaml',
      'assize policies push policies/runaway-agents.yaml --activate',
    ],
    commands: [],
  });
  addFileCommands(policies, io);
  addProve(policies, io);
  addExpressionCommands(policies, io);
  for (const row of rows) addRow(policies, io, row);
}

/** These need neither a database nor a server: they are for pre-commit hooks and CI. */
function addFileCommands(policies: Command, io: Io): void {
  for (const [verb, summary] of [
    ['check', 'check policy files and list all mistakes'],
    ['test', 'run the tests in policy files'],
  ] as const) {
    policies
      .command(verb)
      .summary(summary)
      .argument('<file...>', 'policy documents, YAML or JSON')
      .option('--json', 'print one JSON document')
      .addHelpText('after', examplesText([`assize policies ${verb} policies/*.yaml`]))
      .action(async (files: string[], { json = false }: { json?: boolean }) => {
        const [{ policyCheck, policyTest }, { wholeCheck }] = await Promise.all([
          import('./cli-files.ts'),
          import('./check-job.ts'),
        ]);
        const code = (verb === 'check' ? policyCheck : policyTest)(files, {
          json,
          frames: io.stdout.isTTY === true,
          write: (text) => void io.stdout.write(text),
          ...wholeCheck,
        });
        if (code !== exitCodes.fine) throw new Exit(code);
      });
  }
}

function addProve(policies: Command, io: Io): void {
  addTarget(
    policies
      .command('prove')
      .summary('prove the properties of policies, and compare drafts with the versions before')
      .description(
        'Proves for every action and session: which rules add nothing, whether the properties of a policy hold, and whether it decides as strictly as the version before. Exits 1 if a property is violated.',
      )
      .argument('[file...]', 'policy documents, YAML or JSON')
      .option('--against <file>', 'the version before, to compare with')
      .option('--together', 'prove each policy in the company of the others, as if all were in force')
      .option(
        '--integration <integration>',
        'prove the policies in force for an integration, with the files as drafts of those of the same name',
      )
      .option('--strict', 'exit 2 if something could not be decided')
      .option('--intervals', 'use no solver but the one that is built in')
      .option('--json', 'print one JSON document'),
  )
    .addHelpText(
      'after',
      examplesText([
        'assize policies prove policies/*.yaml',
        'assize policies prove draft.yaml --against policy.yaml',
        'assize policies prove draft.yaml --integration support-bot',
      ]),
    )
    .action(async (files: string[], { integration, ...options }: ProveCommandOptions) => {
      const { provePolicies } = await import('../../cli/prove/prove.ts');
      const prove = async (inForce?: readonly NamedPolicy[]) => {
        const write = (text: string) => void io.stdout.write(text);
        const code = await provePolicies(files, { ...options, ...(inForce && { inForce }), write });
        if (code !== exitCodes.fine) throw new Exit(code);
      };
      if (integration === undefined && files.length === 0)
        throw new Exit(exitCodes.wrongUse, 'name a file, or give --integration');
      if (integration === undefined) return prove();
      const { policiesInForce } = await import('../../cli/prove/prove.ts');
      await withConnection(options, async ({ http }) => prove(await policiesInForce(http, integration)));
    });
}

interface ProveCommandOptions extends TargetOptions {
  integration?: string;
  against?: string;
  together?: boolean;
  strict?: boolean;
  intervals?: boolean;
  json?: boolean;
}

/** Expressions alone, for whoever writes one. */
function addExpressionCommands(policies: Command, io: Io): void {
  policies
    .command('eval')
    .summary('evaluate one expression of the policy language')
    .description(
      'Evaluates one expression as a rule would read it, of an action with the given input in a new session.',
    )
    .argument('<expression>', 'the expression')
    .argument('[input]', 'the input of the action as JSON, or - for standard input')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', examplesText([`assize policies eval 'tool == "shell"' '{"tool":"shell"}'`]))
    .action(async (expression: string, input: string | undefined, { json = false }: { json?: boolean }) => {
      (await import('../../cli/expressions.ts')).evalExpression(expression, input, json, io);
    });
  policies
    .command('repl')
    .summary('evaluate expressions line by line')
    .argument('[input]', 'the input of the action as JSON; a later line that is a JSON object replaces it')
    .addHelpText('after', examplesText([`assize policies repl '{"tool":"shell"}'`]))
    .action(async (input: string | undefined) => {
      await (await import('../../cli/expressions.ts')).repl(input, io, process.stdin);
    });
}

const versionField = { version: { field: 'version', read: versionIn } };

const rows: readonly Row[] = [
  {
    name: 'list',
    summary: 'list policies, newest first',
    examples: ['assize policies list', 'assize policies list --status ACTIVE --json'],
    options: [wordOption('--status <status>', 'only these', policyStatuses)],
    request: 'GET /v1/policies',
    columns: policyColumns,
    none: 'There are no policies.',
  },
  {
    name: 'show <policy>',
    summary: 'show a policy',
    examples: ['assize policies show runaway-agents --document > runaway-agents.yaml'],
    options: [textOption('--document', 'print only the document, as it was sent')],
    request: 'GET /v1/policies/{policies}',
    fields: { document: null },
    // The document alone, to the byte: it can be edited and pushed again.
    print: (policy: Policy, { out, options }: Call<{ document?: boolean }>) =>
      options.document ? out.text(policy.document) : out.record(policy, policyFields),
  },
  {
    name: 'versions <policy>',
    summary: 'list the versions of a policy, newest first',
    examples: ['assize policies versions runaway-agents'],
    request: 'GET /v1/policies/{policies}/versions',
    columns: versionColumns,
    none: 'It has no versions.',
  },
  {
    name: 'diff <file> [from] [to]',
    summary:
      'show what pushing a file would change, or how two versions differ; exits with 1 if there is a difference',
    examples: [
      'assize policies diff policies/runaway-agents.yaml',
      'assize policies diff runaway-agents 1 2',
    ],
    options: [
      textOption(
        '--policy <policy>',
        'the policy to compare with, if the name in the file differs from its name',
      ),
    ],
    act: async (call) => (await import('./cli-files.ts')).diff(call),
  },
  {
    name: 'push <file>',
    summary: 'create a policy from a file, or add its next version, which is current at once',
    examples: [
      'assize policies push policies/runaway-agents.yaml --activate',
      'assize policies push policies/runaway-agents.yaml --note "ticket 17: fewer repeats"',
    ],
    options: [
      textOption(
        '--policy <policy>',
        'the policy to add a version to, if the name in the file differs from its name',
      ),
      textOption('--activate', 'activate it'),
      textOption('--note <text>', 'why this version was written'),
    ],
    act: async (call) => (await import('./cli-files.ts')).push(call),
  },
  {
    name: 'activate <policy> [version]',
    summary: 'activate a policy, or switch it to the given version',
    examples: ['assize policies activate runaway-agents', 'assize policies activate runaway-agents 1'],
    request: 'POST /v1/policies/{policies}/activate',
    fields: versionField,
    columns: policyStateFields,
  },
  {
    name: 'rollback <policy> [version]',
    summary: 'roll an ACTIVE policy back to an earlier version, by default the previous one',
    examples: ['assize policies rollback runaway-agents', 'assize policies rollback runaway-agents 1'],
    request: 'POST /v1/policies/{policies}/rollback',
    fields: versionField,
    columns: policyStateFields,
  },
  {
    name: 'schedule <policy> [version]',
    summary: 'schedule the activation of a version, by default the latest',
    examples: [
      'assize policies schedule runaway-agents 2 --at 2030-01-31T12:00:00Z',
      'assize policies schedule runaway-agents --cancel',
    ],
    options: [
      textOption('--at <time>', 'when it takes effect, such as 2030-01-31T12:00:00Z'),
      textOption('--cancel', 'cancel the scheduled activation'),
    ],
    act: schedule,
  },
  {
    name: 'deprecate <policy>',
    summary: 'deprecate a policy: it no longer runs',
    examples: ['assize policies deprecate runaway-agents'],
    request: 'POST /v1/policies/{policies}/deprecate',
    columns: policyStateFields,
  },
  {
    name: 'delete <policy>',
    summary: 'delete a policy that took part in no decision',
    examples: ['assize policies delete runaway-agents'],
    request: 'DELETE /v1/policies/{policies}',
    print: ({ id, name }: PolicySummary, { out }: Call) => {
      out.record({ id, name, deleted: true }, [
        { title: 'DELETED', of: (policy) => policy.id },
        { title: 'NAME', of: (policy) => policy.name },
      ]);
      out.note('Deleted: it took part in no decision.');
    },
  },
];

async function schedule(call: Call<{ at?: string; cancel?: boolean }>): Promise<void> {
  const { http, out, options, args } = call;
  const [given, version] = args;
  if ((options.at === undefined) === (options.cancel === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give --at TIME, or --cancel');
  }
  if (options.cancel && version !== undefined)
    throw new Exit(exitCodes.wrongUse, '--cancel takes no version');
  const request = options.cancel
    ? ({ method: 'DELETE' } as const)
    : ({
        method: 'POST',
        json: { at: options.at, ...(version !== undefined && { version: versionIn(version) }) },
      } as const);
  const id = await idOf(http, 'policies', given);
  const { data } = await http.send<PolicySummary>({ ...request, path: path`/v1/policies/${id}/schedule` });
  out.record(data, policyStateFields);
}

const columns: Column<HousePolicy>[] = [
  { title: 'POLICY', of: ({ policyId }) => policyId },
  { title: 'NAME', of: ({ policy }) => policy.name },
  { title: 'STATUS', of: ({ policy }) => policy.status, word: true },
  { title: 'VERSION', of: ({ policy }) => policy.version },
  { title: 'PARAMS', of: ({ params }) => JSON.stringify(params) },
  { title: 'MODE', of: ({ mode }) => mode },
  { title: 'BOUND', of: ({ createdAt }) => createdAt },
];

/** With which params and mode a policy applies, to one integration or to all. */
export const termOptions = [
  textOption(
    '--param <name=value...>',
    'a param of the policy, as JSON or plain text; params that are not given are removed',
  ),
  wordOption(
    '--mode <mode>',
    'replaces the mode of the document; removed when only params are given',
    policyModes,
  ),
];

export const addHousePolicies = (program: Command, io: Io): Command =>
  addNoun(program, io, {
    name: 'house-policies',
    summary: 'policies that apply to every integration',
    description:
      'House policies apply to every integration, including future ones. Bindings can only make them stricter.',
    examples: ['assize house-policies bind runaway-agents'],
    commands: [
      {
        name: 'list',
        summary: 'list the house policies',
        examples: ['assize house-policies list'],
        request: 'GET /v1/house-policies',
        columns,
        none: 'No policy applies to every integration.',
      },
      {
        name: 'bind <policy>',
        summary: 'apply a policy to every integration, or change its params and mode there',
        examples: [
          'assize house-policies bind runaway-agents',
          'assize house-policies bind spending-limits --param perDay=5000 --mode monitor',
        ],
        options: termOptions,
        request: 'PUT /v1/house-policies/{policies}',
        body: termsIn,
        print: (bound: HousePolicy, { out }: Call) => {
          out.record(bound, columns);
          if (bound.policy.status === 'DRAFT') out.warn(draftWarning(bound.policy));
        },
      },
      {
        name: 'unbind <policy>',
        summary: 'apply a policy only to the integrations that it is bound to',
        examples: ['assize house-policies unbind runaway-agents'],
        request: 'DELETE /v1/house-policies/{policies}',
        columns,
        note: 'Unbound: the policy decides only where it is bound to an integration.',
      },
    ],
  });

export interface Terms {
  param?: string[];
  mode?: string;
}

/** The body that binds a policy. Undefined when no terms are given: an existing binding then keeps its own. */
export function termsIn({ param, mode }: Terms): object | undefined {
  const terms = { ...(param && { params: paramsIn(param) }), ...(mode !== undefined && { mode }) };
  return Object.keys(terms).length > 0 ? terms : undefined;
}

/** `limit=5`, `tools=["a"]`: what is no JSON is the text itself. Digits of large numbers are kept. */
function paramsIn(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const place = text.indexOf('=');
      if (place < 1) throw new Exit(exitCodes.wrongUse, `--param ${text}: write it as name=value`);
      return [text.slice(0, place), valueIn(text.slice(place + 1))];
    }),
  );
}

function valueIn(text: string): unknown {
  try {
    return parseForWriting(text);
  } catch {
    return text;
  }
}
