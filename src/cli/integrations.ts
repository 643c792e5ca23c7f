import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption, wordOption } from './api-command.ts';
import { withTerms } from './binding-terms.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const kinds = ['REST_API', 'MCP_SERVER', 'AGENT'];
const which = '<integration>';

export function addIntegrations(program: Command, io: Io): void {
  const integrations = program
    .command('integrations')
    .alias('integration')
    .summary('manage integrations, their settings and their policies')
    .description(
      'Integrations are the applications that send actions for evaluation. Name one by its id, or by its name if that is unique.',
    )
    .addHelpText(
      'after',
      examplesText([
        'assize integrations create "support agent" --kind AGENT',
        'assize integrations bind demo runaway-agents',
      ]),
    );
  const load = () => import('./integrations/commands.ts');
  const changing = () => import('./integrations/changes.ts');

  addPaging(
    addApiCommand(
      integrations,
      io,
      { name: 'list', summary: 'list integrations, newest first', examples: ['assize integrations list'] },
      async () => (await load()).list,
    ),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `show ${which}`,
      summary: 'show an integration and its settings',
      examples: ['assize integrations show demo'],
    },
    async () => (await load()).show,
  );
  settingOptions(
    addApiCommand(
      integrations,
      io,
      {
        name: 'create <name>',
        summary: 'create an integration; its key is shown only once',
        examples: [
          'assize integrations create "support agent" --kind AGENT',
          'assize integrations create gateway --kind MCP_SERVER --retain none --json',
        ],
      },
      async () => (await changing()).create,
    )
      .addOption(wordOption('--kind <kind>', 'what it is', kinds).makeOptionMandatory())
      .option('--key-expires-at <time>', 'when its key expires, such as 2030-01-31T12:00:00Z'),
  );
  settingOptions(
    addApiCommand(
      integrations,
      io,
      {
        name: `update ${which}`,
        summary: 'change the given fields',
        examples: ['assize integrations update demo --retain none --requests-per-minute 600'],
      },
      async () => (await changing()).update,
    ).option('--name <name>', 'its new name'),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `delete ${which}`,
      summary: 'delete an integration: its key is refused at once, its record stays',
      examples: ['assize integrations delete demo'],
    },
    async () => (await changing()).remove,
  );
  addBindings(integrations, io);
}

function addBindings(integrations: Command, io: Io): void {
  const load = () => import('./integrations/bindings.ts');
  addPaging(
    addApiCommand(
      integrations,
      io,
      {
        name: `policies ${which}`,
        summary: 'list the policies that are bound to it',
        examples: ['assize integrations policies demo'],
      },
      async () => (await load()).listBound,
    ),
  );
  withTerms(
    addApiCommand(
      integrations,
      io,
      {
        name: `bind ${which} <policy>`,
        summary: 'bind a policy to an integration, or change the binding',
        examples: [
          'assize integrations bind demo runaway-agents',
          'assize integrations bind demo spending-limits --param currency=EUR --param perDay=5000 --mode monitor',
        ],
      },
      async () => (await load()).bind,
    ),
  );
  addApiCommand(
    integrations,
    io,
    {
      name: `unbind ${which} <policy>`,
      summary: 'unbind a policy from an integration',
      examples: ['assize integrations unbind demo runaway-agents'],
    },
    async () => (await load()).unbind,
  );
}

const settingOptions = (command: Command): Command =>
  command
    .option('--description <text>', 'description of the integration')
    .addOption(wordOption('--retain <what>', 'what is stored of inputs', ['full', 'redacted', 'none']))
    .addOption(wordOption('--sensitivity <how>', 'how data is detected', ['balanced', 'strict']))
    .option('--disable-tag <tag...>', 'data tags to turn off')
    .option('--enable-tag <tag...>', 'opt-in data tags to turn on')
    .addOption(
      wordOption('--session-scope <which>', 'which MCP calls share a session', [
        'connection',
        'client',
        'integration',
        'trace',
      ]),
    )
    .addOption(
      wordOption('--require-session <yes>', 'refuse evaluations that name no session', ['true', 'false']),
    )
    .addOption(
      wordOption('--when-no-policy <what>', 'the decision when no enforced policy applies', [
        'ALLOW',
        'BLOCK',
      ]),
    )
    .addOption(
      wordOption('--after-rejection <what>', 'what an action gets that was rejected in its session', [
        'BLOCK',
        'ASK_AGAIN',
      ]),
    )
    .addOption(
      numberOption('--max-pending-reviews <n>', 'reviews that may be PENDING at once', [1, 1_000_000]),
    )
    .addOption(
      numberOption('--max-pending-reviews-in-session <n>', 'the same for one session', [1, 1_000_000]),
    )
    .addOption(
      numberOption('--max-open-sessions <n>', 'sessions that may be ACTIVE at once', [1, 10_000_000]),
    )
    .addOption(
      numberOption(
        '--max-bytes-per-day <n>',
        'bytes that may be stored in a day of UTC',
        [1, 1_000_000_000_000],
      ),
    )
    .option('--no-quotas', 'back to the defaults: 1000 reviews, 20 in a session, no other quota')
    .addOption(numberOption('--requests-per-minute <n>', 'rate limit; 0 means no limit', [0, 100_000_000]));
