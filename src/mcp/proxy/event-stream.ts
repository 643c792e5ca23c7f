/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerEvent {
  id?: string;
  /** Milliseconds after which a client may connect again, as digits. */
  retry?: string;
  /** Null for an event of another type than `message`, which clients of MCP do not read. */
  data: string | null;
}

export class EventTooLarge extends Error {}

/** Reads the events of a response, and calls `onRead` for all that arrives. Throws EventTooLarge for one of more than `mostBytes`, and a TypeError for what is not UTF-8. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  onRead: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = '';
  let rest = '';
  let bytes = 0;
  let lines: string[] = [];
  for await (const chunk of body) {
    onRead();
    bytes += chunk.length;
    const text = held + decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...further] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    const parts = [rest + first, ...further];
    rest = parts.pop() ?? '';
    for (const line of parts) {
      if (line !== '') {
        lines.push(line);
        continue;
      }
      const event = eventOf(lines);
      lines = [];
      bytes = rest.length;
      if (event !== null) yield event;
    }
    if (bytes > mostBytes) throw new EventTooLarge(`an event is larger than ${mostBytes} bytes`);
  }
}

function eventOf(lines: readonly string[]): ServerEvent | null {
  const event: ServerEvent = { data: null };
  const data: string[] = [];
  let type = 'message';
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value || 'message';
    else if (name === 'id' && !value.includes('\0')) event.id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) event.retry = value;
  }
  if (type === 'message' && data.length > 0) event.data = data.join('\n');
  return event.data === null && event.id === undefined && event.retry === undefined ? null : event;
}

/** The text of an event. `data` has no end of line in it. */
export function eventText({ id, retry, data }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === null ? [] : ['event: message', `data: ${data}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}
