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
    .description(
      'Webhooks send events to a service, to Slack, to Microsoft Teams or by e-mail. Name one by its id, or by its name if that is unique.',
    )
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
  add('show <webhook>', 'show a webhook', ['assize webhooks show siem'], 'show');
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
      'update <webhook>',
      'change the given fields',
      ['assize webhooks update siem --status DISABLED'],
      'update',
    )
      .option('--name <name>', 'its new name')
      .addOption(wordOption('--status <status>', 'DISABLED sends nothing', ['ACTIVE', 'DISABLED'])),
  );
  add('delete <webhook>', 'delete a webhook and its deliveries', ['assize webhooks delete siem'], 'remove');
  add(
    'rotate-secret <webhook>',
    'replace the signing secret; the new one is shown only once',
    ['assize webhooks rotate-secret siem --overlap-hours 48'],
    'rotateSecret',
  ).addOption(
    numberOption('--overlap-hours <n>', 'hours for which both secrets sign (default 24)', [0, 168]),
  );
  add('test <webhook>', 'send a test event now, and show the result', ['assize webhooks test siem'], 'test');
  addPaging(
    add(
      'deliveries',
      'list deliveries, newest first; DEAD ones are no longer retried',
      ['assize webhooks deliveries --status DEAD', 'assize webhooks deliveries --webhook siem'],
      'deliveries',
    ),
  )
    .option('--webhook <webhook>', 'only those of a webhook')
    .addOption(wordOption('--status <status>', 'only these', ['PENDING', 'DELIVERED', 'DEAD']));
  add(
    'redeliver [delivery]',
    'redeliver one delivery, or all dead letters of a webhook',
    [`assize webhooks redeliver ${someId}`, 'assize webhooks redeliver --webhook siem'],
    'redeliver',
  ).option('--webhook <webhook>', 'all dead letters of this webhook');
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
