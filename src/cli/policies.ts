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
      'Policies: what is allowed. Each is named by its id, or by its name if no other has it that is not DEPRECATED.',
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
    ['check', 'say everything that is wrong with policy files'],
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
  ).option('--document', 'print the document alone, as it was sent');
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
        'show what pushing a file would change, or what two versions of a policy say differently; 1 for a difference',
      examples: [
        'assize policies diff policies/runaway-agents.yaml',
        'assize policies diff runaway-agents 1 2',
      ],
    },
    async () => (await import('./policies/diff.ts')).diff,
  ).option('--policy <policy>', 'the policy to compare with, when the name in the file is not its');
}

function addChanging(policies: Command, io: Io): void {
  const load = () => import('./policies/lifecycle.ts');
  addApiCommand(
    policies,
    io,
    {
      name: 'push <file>',
      summary: 'create a policy from a file, or add its next version, which is current at once',
      examples: ['assize policies push policies/runaway-agents.yaml --activate'],
    },
    async () => (await import('./policies/push.ts')).push,
  )
    .option('--policy <policy>', 'the policy to add a version to, when the name in the file is not its')
    .option('--activate', 'let it decide');
  addApiCommand(
    policies,
    io,
    {
      name: `activate ${which} [version]`,
      summary: 'let a policy decide, by an earlier or later version if one is given',
      examples: ['assize policies activate runaway-agents', 'assize policies activate runaway-agents 1'],
    },
    async () => (await load()).activate,
  );
  addApiCommand(
    policies,
    io,
    {
      name: `rollback ${which} [version]`,
      summary:
        'let an ACTIVE policy decide by an earlier version again; without one, by that before this one',
      examples: ['assize policies rollback runaway-agents', 'assize policies rollback runaway-agents 1'],
    },
    async () => (await load()).rollBack,
  );
  addApiCommand(
    policies,
    io,
    {
      name: `schedule ${which} [version]`,
      summary: 'let a policy decide by a version, the latest if none is given, from a moment on',
      examples: [
        'assize policies schedule runaway-agents 2 --at 2030-01-31T12:00:00Z',
        'assize policies schedule runaway-agents --cancel',
      ],
    },
    async () => (await load()).schedule,
  )
    .option('--at <time>', 'from when on, as 2030-01-31T12:00:00Z')
    .option('--cancel', 'schedule nothing any more');
  for (const [verb, act, summary] of [
    ['deprecate', 'deprecate', 'retire a policy: it no longer runs'],
    ['delete', 'remove', 'delete a policy that never decided'],
  ] as const) {
    addApiCommand(
      policies,
      io,
      { name: `${verb} ${which}`, summary, examples: [`assize policies ${verb} runaway-agents`] },
      async () => (await load())[act],
    );
  }
}
