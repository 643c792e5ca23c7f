import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { idOf } from '../../cli/api/find.ts';
import { addApiCommand, examplesText, numberOption } from '../../cli/api-command.ts';
import { followLog, mostAtOnce, usualLast } from '../../cli/follow.ts';
import { type Io, printable } from '../../cli/io.ts';
import type { Output } from '../../cli/output.ts';
import type { Event, EventPage } from './schema.ts';

export function addEvents(program: Command, io: Io): void {
  const events = program
    .command('events')
    .alias('event')
    .summary('follow decisions, sessions, reviews, policies, keys and operators')
    .description('The event log lists what happens in the service, in order, without the content of actions.')
    .addHelpText('after', examplesText(['assize events tail --type "review.*"']));
  addApiCommand(
    events,
    io,
    {
      name: 'tail',
      summary: 'follow events, until Ctrl-C',
      examples: [
        'assize events tail',
        'assize events tail --type "evaluation.*,review.*" --integration demo',
        'assize events tail --after 0 --no-follow --json > events.ndjson',
      ],
    },
    async () => tail,
  )
    .option('--type <types>', 'event types, or prefixes such as review.*, separated by commas')
    .option('--integration <integration>', 'only those of an integration')
    .option('--after <sequence>', 'start after this position in the log; 0 starts with the oldest event')
    .addOption(numberOption('--last <n>', 'number of past events to show first (default 10)', [0, 200]))
    .option('--no-follow', 'exit instead of waiting for new events');
}

interface TailOptions {
  type?: string;
  integration?: string;
  after?: string;
  last?: number;
  follow?: boolean;
}

async function tail({ http, out, options }: Call<TailOptions>): Promise<void> {
  const { type, follow, last = usualLast } = options;
  const integrationId =
    options.integration === undefined ? undefined : await idOf(http, 'integrations', options.integration);
  let after = options.after;
  const next = async (size: number): Promise<Event[]> => {
    const { data } = await http.send<EventPage>({
      method: 'GET',
      path: '/v1/events',
      // Even who wants to see none of the last has to learn where the end is.
      query: { type, integrationId, after, size: Math.max(1, size) },
    });
    const isFirst = after === undefined;
    after = data.lastEventId;
    return isFirst && size === 0 ? [] : data.events;
  };
  const reachEnd = after !== undefined;
  await followLog(out, { next, lineOf }, { first: reachEnd ? mostAtOnce : last, follow, reachEnd });
}

function lineOf({ time, sequence, type, subject, data }: Event, { style, terminal }: Output): string {
  const word = (name: string) => (typeof data[name] === 'string' ? printable(data[name]) : '-');
  const actor = data.actor as { name?: string } | undefined;
  return [
    style.faint(time),
    style.faint(String(Number(sequence))),
    type,
    style.word(word('severity')),
    word('tool') === '-' ? word('name') : word('tool'),
    printable(actor?.name ?? '') || word('integrationName'),
    style.faint(printable(subject)),
  ].join(terminal ? '  ' : '\t');
}
