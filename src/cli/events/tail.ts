import { setTimeout as pause } from 'node:timers/promises';
import type { Event, EventPage } from '../../schemas/events.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import type { Output } from '../output/output.ts';
import { printable } from '../output/printable.ts';

interface TailOptions {
  type?: string;
  integration?: string;
  after?: string;
  last?: number;
  follow?: boolean;
}

/** How often is looked, in milliseconds. */
const everyMs = 500;
/** The most events that one response carries. */
const most = 200;
const usualLast = 10;

/** Prints what happens as it happens. Ctrl-C ends it, and that is no failure. */
export async function tail({ http, out, options }: Call<TailOptions>): Promise<void> {
  const { type, follow, last = usualLast } = options;
  const integrationId =
    options.integration === undefined ? undefined : await idOf(http, 'integrations', options.integration);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
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
  try {
    let events = await next(after === undefined ? last : most);
    if (follow !== false) out.note('Following; Ctrl-C ends it.');
    const pages = options.after !== undefined;
    for (;;) {
      for (const event of events) out.line(event, lineOf(event, out));
      const isEnd = !pages || events.length < most;
      if (out.unread() || (follow === false && isEnd)) return;
      if (events.length < most) await pause(everyMs, undefined, { signal: stop.signal });
      events = await next(most);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
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
