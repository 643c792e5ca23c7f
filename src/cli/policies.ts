import type { Command } from 'commander';
import { addApiCommand, examplesText, wordOption } from './api-command.ts';
import { Exit, exitCodes } from './exit.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

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
          import('./policies/check.ts'),
          import('../services/document-checks.ts'),
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
  const load = () => import('./policies/read.ts');
  addPaging(
    addApiCommand(
      policies,
      io,
      {
        name: 'list',
        summary: 'list policies, newest first',
        examples: ['assize policies list', 'assize policies list --status ACTIVE --json'],
      },
      async () => (await load()).list,
    ),
  ).addOption(wordOption('--status <status>', 'only these', ['DRAFT', 'ACTIVE', 'DEPRECATED']));
  addApiCommand(
    policies,
    io,
    {
      name: `show ${which}`,
      summary: 'show a policy',
      examples: ['assize policies show runaway-agents --document > runaway-agents.yaml'],
    },
    async () => (await load()).show,
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
      async () => (await load()).versions,
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
    async () => (await import('./policies/diff.ts')).diff,
  ).option('--policy <policy>', 'the policy to compare with, if the name in the file differs from its name');
}

function addChanging(policies: Command, io: Io): void {
  const load = () => import('./policies/lifecycle.ts');
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
    async () => (await import('./policies/push.ts')).push,
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
    async () => (await load()).activate,
  );
  addApiCommand(
    policies,
    io,
    {
      name: `rollback ${which} [version]`,
      summary: 'roll an ACTIVE policy back to an earlier version, by default the previous one',
      examples: ['assize policies rollback runaway-agents', 'assize policies rollback runaway-agents 1'],
    },
    async () => (await load()).rollBack,
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
    async () => (await load()).schedule,
  )
    .option('--at <time>', 'when it takes effect, such as 2030-01-31T12:00:00Z')
    .option('--cancel', 'cancel the scheduled activation');
  for (const [verb, act, summary] of [
    ['deprecate', 'deprecate', 'deprecate a policy: it no longer runs'],
    ['delete', 'remove', 'delete a policy that took part in no decision'],
  ] as const) {
    addApiCommand(
      policies,
      io,
      { name: `${verb} ${which}`, summary, examples: [`assize policies ${verb} runaway-agents`] },
      async () => (await load())[act],
    );
  }
}
