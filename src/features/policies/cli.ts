import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { type PageOptions, printPage } from '../../cli/api/page.ts';
import { addApiCommand, examplesText, wordOption } from '../../cli/api-command.ts';
import { Exit, exitCodes } from '../../cli/exit.ts';
import type { Io } from '../../cli/io.ts';
import { addPaging } from '../../cli/paging.ts';
import { path } from '../../client/http.ts';
import { policyColumns, policyFields, policyStateFields, versionColumns, versionIn } from './cli-columns.ts';
import type { Policy, PolicySummary } from './schema.ts';
import { policyStatuses } from './words.ts';

const which = '<policy>';

export function addPolicies(program: Command, io: Io): void {
  const policies = program
    .command('policies')
    .alias('policy')
    .summary('check, test and change policies')
    .description(
      'Policies decide what is allowed. Name a policy by its id, or by its name if that is unique among policies that are not DEPRECATED.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize policies check policies/*.yaml',
        'assize policies push policies/runaway-agents.yaml --activate',
      ]),
    );
  addFileCommands(policies, io);
  addReading(policies, io);
  addChanging(policies, io);
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
          import('./document-checks.ts'),
        ]);
        const code = (verb === 'check' ? policyCheck : policyTest)(files, {
          json,
          write: (text) => void io.stdout.write(text),
          ...wholeCheck,
        });
        if (code !== exitCodes.fine) throw new Exit(code);
      });
  }
}

function addReading(policies: Command, io: Io): void {
  addPaging(
    addApiCommand(
      policies,
      io,
      {
        name: 'list',
        summary: 'list policies, newest first',
        examples: ['assize policies list', 'assize policies list --status ACTIVE --json'],
      },
      async () => list,
    ),
  ).addOption(wordOption('--status <status>', 'only these', policyStatuses));
  addApiCommand(
    policies,
    io,
    {
      name: `show ${which}`,
      summary: 'show a policy',
      examples: ['assize policies show runaway-agents --document > runaway-agents.yaml'],
    },
    async () => show,
  ).option('--document', 'print only the document, as it was sent');
  addPaging(
    addApiCommand(
      policies,
      io,
      {
        name: `versions ${which}`,
        summary: 'list the versions of a policy, newest first',
        examples: ['assize policies versions runaway-agents'],
      },
      async () => versions,
    ),
  );
  addApiCommand(
    policies,
    io,
    {
      name: 'diff <file> [from] [to]',
      summary:
        'show what pushing a file would change, or how two versions differ; exits with 1 if there is a difference',
      examples: [
        'assize policies diff policies/runaway-agents.yaml',
        'assize policies diff runaway-agents 1 2',
      ],
    },
    async () => (await import('./cli-files.ts')).diff,
  ).option('--policy <policy>', 'the policy to compare with, if the name in the file differs from its name');
}

function addChanging(policies: Command, io: Io): void {
  addApiCommand(
    policies,
    io,
    {
      name: 'push <file>',
      summary: 'create a policy from a file, or add its next version, which is current at once',
      examples: [
        'assize policies push policies/runaway-agents.yaml --activate',
        'assize policies push policies/runaway-agents.yaml --note "ticket 17: fewer repeats"',
      ],
    },
    async () => (await import('./cli-files.ts')).push,
  )
    .option(
      '--policy <policy>',
      'the policy to add a version to, if the name in the file differs from its name',
    )
    .option('--activate', 'activate it')
    .option('--note <text>', 'why this version was written');
  addApiCommand(
    policies,
    io,
    {
      name: `activate ${which} [version]`,
      summary: 'activate a policy, or switch it to the given version',
      examples: ['assize policies activate runaway-agents', 'assize policies activate runaway-agents 1'],
    },
    async () => activate,
  );
  addApiCommand(
    policies,
    io,
    {
      name: `rollback ${which} [version]`,
      summary: 'roll an ACTIVE policy back to an earlier version, by default the previous one',
      examples: ['assize policies rollback runaway-agents', 'assize policies rollback runaway-agents 1'],
    },
    async () => rollBack,
  );
  addApiCommand(
    policies,
    io,
    {
      name: `schedule ${which} [version]`,
      summary: 'schedule the activation of a version, by default the latest',
      examples: [
        'assize policies schedule runaway-agents 2 --at 2030-01-31T12:00:00Z',
        'assize policies schedule runaway-agents --cancel',
      ],
    },
    async () => schedule,
  )
    .option('--at <time>', 'when it takes effect, such as 2030-01-31T12:00:00Z')
    .option('--cancel', 'cancel the scheduled activation');
  for (const [verb, act, summary] of [
    ['deprecate', deprecate, 'deprecate a policy: it no longer runs'],
    ['delete', remove, 'delete a policy that took part in no decision'],
  ] as const) {
    addApiCommand(
      policies,
      io,
      { name: `${verb} ${which}`, summary, examples: [`assize policies ${verb} runaway-agents`] },
      async () => act,
    );
  }
}

async function list(call: Call<PageOptions & { status?: string }>): Promise<void> {
  const { page, size, status } = call.options;
  const request = { path: '/v1/policies', query: { page, size, status } };
  await printPage(call, request, policyColumns, 'There are no policies.');
}

/** With `--document` the document alone, to the byte: it can be edited and pushed again. */
async function show({ http, out, options, args: [given] }: Call<{ document?: boolean }>): Promise<void> {
  const id = await idOf(http, 'policies', given);
  const { data } = await http.send<Policy>({ method: 'GET', path: path`/v1/policies/${id}` });
  if (options.document) return out.text(data.document);
  out.record(data, policyFields);
}

async function versions(call: Call<PageOptions>): Promise<void> {
  const { page, size } = call.options;
  const id = await idOf(call.http, 'policies', call.args[0]);
  const request = { path: path`/v1/policies/${id}/versions`, query: { page, size } };
  await printPage(call, request, versionColumns, 'It has no versions.');
}

const activate = (call: Call): Promise<void> => activateAs('activate', call);
const rollBack = (call: Call): Promise<void> => activateAs('rollback', call);

async function activateAs(verb: string, { http, out, args: [given, version] }: Call): Promise<void> {
  const json = version === undefined ? undefined : { version: versionIn(version) };
  await changeStatus({ http, out, given, verb, json });
}

async function schedule(call: Call<{ at?: string; cancel?: boolean }>): Promise<void> {
  const { http, out, options, args } = call;
  const [given, version] = args;
  if ((options.at === undefined) === (options.cancel === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give --at TIME, or --cancel');
  }
  if (options.cancel) {
    if (version !== undefined) throw new Exit(exitCodes.wrongUse, '--cancel takes no version');
    return changeStatus({ http, out, given, verb: 'schedule', method: 'DELETE' });
  }
  const json = { at: options.at, ...(version !== undefined && { version: versionIn(version) }) };
  await changeStatus({ http, out, given, verb: 'schedule', json });
}

const deprecate = ({ http, out, args: [given] }: Call): Promise<void> =>
  changeStatus({ http, out, given, verb: 'deprecate' });

async function changeStatus(
  change: Pick<Call, 'http' | 'out'> & {
    given: string | undefined;
    verb: string;
    method?: 'POST' | 'DELETE';
    json?: unknown;
  },
): Promise<void> {
  const id = await idOf(change.http, 'policies', change.given);
  const { data } = await change.http.send<PolicySummary>({
    method: change.method ?? 'POST',
    path: path`/v1/policies/${id}/${change.verb}`,
    json: change.json,
  });
  change.out.record(data, policyStateFields);
}

async function remove({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'policies', given);
  const { data } = await http.send<PolicySummary>({ method: 'DELETE', path: path`/v1/policies/${id}` });
  out.record({ id: data.id, name: data.name, deleted: true }, [
    { title: 'DELETED', of: (policy) => policy.id },
    { title: 'NAME', of: (policy) => policy.name },
  ]);
}
