import type { Command } from 'commander';
import { addApiCommand, examplesText, numberOption, wordOption } from './api-command.ts';
import type { Io } from './io.ts';
import { addPaging } from './paging.ts';

const formats = ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'];
const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const someId = '01980000-0000-7000-8000-000000000000';

export function addWebhooks(program: Command, io: Io): void {
  const webhooks = program
    .command('webhooks')
    .alias('webhook')
    .summary('send events to a service, Slack, Microsoft Teams or e-mail')
    .description('Webhooks send events to a service, to Slack, to Microsoft Teams or by e-mail.')
    .addHelpText(
      'after',
      examplesText([
        'assize webhooks create siem --endpoint https://siem.example.com/assize --type "evaluation.*"',
        'assize webhooks create on-call --format EMAIL --to reviewers@example.com',
      ]),
    );
  const load = () => import('./webhooks/commands.ts');
  const add = (name: string, summary: string, examples: string[], act: keyof Commands): Command =>
    addApiCommand(webhooks, io, { name, summary, examples }, async () => (await load())[act] as never);

  addPaging(add('list', 'list webhooks, newest first', ['assize webhooks list'], 'list'));
  add('show <id>', 'show a webhook', [`assize webhooks show ${someId}`], 'show');
  targetOptions(
    add(
      'create <name>',
      'create a webhook; its signing secret is shown only once',
      [
        'assize webhooks create siem --endpoint https://siem.example.com/assize',
        'assize webhooks create chat --format SLACK --endpoint https://hooks.slack.com/services/T0/B0/x',
      ],
      'create',
    ).addOption(wordOption('--format <format>', 'what is sent (default EVENTS)', formats)),
  );
  targetOptions(
    add(
      'update <id>',
      'change the given fields',
      [`assize webhooks update ${someId} --status DISABLED`],
      'update',
    )
      .option('--name <name>', 'its new name')
      .addOption(wordOption('--status <status>', 'DISABLED sends nothing', ['ACTIVE', 'DISABLED'])),
  );
  add('delete <id>', 'delete a webhook and its deliveries', [`assize webhooks delete ${someId}`], 'remove');
  add(
    'rotate-secret <id>',
    'replace the signing secret; the new one is shown only once',
    [`assize webhooks rotate-secret ${someId} --overlap-hours 48`],
    'rotateSecret',
  ).addOption(
    numberOption('--overlap-hours <n>', 'hours for which both secrets sign (default 24)', [0, 168]),
  );
  add('test <id>', 'send a test event now, and show the result', [`assize webhooks test ${someId}`], 'test');
  addPaging(
    add(
      'deliveries',
      'list deliveries, newest first; DEAD ones are no longer retried',
      ['assize webhooks deliveries --status DEAD', `assize webhooks deliveries --webhook ${someId}`],
      'deliveries',
    ),
  )
    .option('--webhook <id>', 'only those of a webhook')
    .addOption(wordOption('--status <status>', 'only these', ['PENDING', 'DELIVERED', 'DEAD']));
  add(
    'redeliver [delivery]',
    'redeliver one delivery, or all dead letters of a webhook',
    [`assize webhooks redeliver ${someId}`, `assize webhooks redeliver --webhook ${someId}`],
    'redeliver',
  ).option('--webhook <id>', 'all dead letters of this webhook');
}

type Commands = typeof import('./webhooks/commands.ts');

function targetOptions(command: Command): void {
  command
    .option('--endpoint <url>', 'where to send')
    .option('--to <address...>', 'recipients of e-mail')
    .option('--type <type...>', 'event types, or prefixes such as review.*')
    .option('--integration <integration...>', 'only events of these integrations')
    .addOption(wordOption('--min-severity <severity>', 'leave out events of a lower severity', severities));
}
