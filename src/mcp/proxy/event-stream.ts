import { createSteps } from '../../services/steps.ts';

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
  let fields = new Fields();
  const step = createSteps();
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
        fields.add(line);
        continue;
      }
      const event = fields.event();
      fields = new Fields();
      bytes = rest.length;
      if (event !== null) yield event;
      // Thousands of events may be in one chunk, and none of them waits for anything.
      await step();
    }
    await step();
    if (bytes > mostBytes) throw new EventTooLarge(`an event is larger than ${mostBytes} bytes`);
  }
}

/** An event as far as it was read. */
class Fields {
  readonly #data: string[] = [];
  #type = 'message';
  #id: string | undefined;
  #retry: string | undefined;

  add(line: string): void {
    const end = line.indexOf(':');
    const name = end === -1 ? line : line.slice(0, end);
    const value = end === -1 ? '' : line.slice(line[end + 1] === ' ' ? end + 2 : end + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#type = value || 'message';
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#retry = value;
  }

  event(): ServerEvent | null {
    const hasData = this.#type === 'message' && this.#data.length > 0;
    if (!hasData && this.#id === undefined && this.#retry === undefined) return null;
    return {
      data: hasData ? this.#data.join('\n') : null,
      ...(this.#id !== undefined && { id: this.#id }),
      ...(this.#retry !== undefined && { retry: this.#retry }),
    };
  }
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
