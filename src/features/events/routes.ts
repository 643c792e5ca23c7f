import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { headerValues } from '../../http/headers.ts';
import { createOpenStreams } from '../../http/open-streams.ts';
import {
  type Credentials,
  identifyAgain,
  operatorOf,
  operatorsWith,
} from '../../http/plugins/authenticate.ts';
import { envelope } from '../../http/responses.ts';
import type { Scope } from '../../http/scope.ts';
import { errorResponses, responseOf } from '../../schemas/envelopes.ts';
import { KeptText, Uuid } from '../../schemas/values.ts';
import { mayDo } from '../../services/access/permissions.ts';
import { sequenceText } from './forms.ts';
import { EventPage, EventSequence, longestTypeFilter } from './schema.ts';
import type { EventFilter, Events, RecordedWatch } from './service.ts';

const query = Type.Object(
  {
    type: Type.Optional(
      KeptText(longestTypeFilter, {
        description: 'event types, or prefixes such as `review.*`, separated by commas',
      }),
    ),
    integrationId: Type.Optional(Uuid),
    after: Type.Optional(
      Type.String({
        ...EventSequence,
        description:
          'only events after this position; `0` starts with the oldest event. `Last-Event-ID` takes precedence',
      }),
    ),
    recorded: Type.Optional(
      Type.Boolean({
        description:
          'in a stream: also sends `event: recorded` with the `evaluationRunId` of the newest evaluation, allowed ones included, at most ten times a second',
      }),
    ),
    size: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'number of events in a JSON page' }),
    ),
  },
  { additionalProperties: false },
);

export function eventRoutes(
  app: Scope,
  { events, recordedWatch }: { events: Events; recordedWatch: RecordedWatch },
  credentials: Credentials,
  onError: (error: unknown) => void,
): void {
  const streams = createOpenStreams(onError);
  const open = new Set<EventStream>();
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end('the service is stopping: resume with Last-Event-ID');
  });

  /** The permissions of a stream are those of its beginning: it ends when they change. */
  async function maySame(request: FastifyRequest): Promise<boolean> {
    const { roles } = operatorOf(request).operator;
    const now = await identifyAgain(request, credentials);
    return now?.kind === 'operator' && now.operator.roles.join() === roles.join();
  }

  app.get(
    '/events',
    {
      config: { ...operatorsWith('events:read'), outsideLoad: true },
      schema: {
        operationId: 'followEvents',
        summary: 'Stream events (server-sent events), or read a page of them',
        description:
          'Each message is an event; send its `id` as `Last-Event-ID` to resume after it. Without a position, the stream starts with the next event. `event: gap` means that events were deleted before they were read; `event: end` says why the stream ends. With `Accept: application/json`, the response is one page: the events after `after`, or the last ones. Events that the operator may not read are left out.',
        tags: ['events'],
        querystring: query,
        response: {
          200: {
            description: 'the stream, or one page',
            content: {
              'application/json': { schema: responseOf(EventPage) },
              'text/event-stream': { schema: Type.String() },
            },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const { after, size = 50, recorded = false, ...wanted } = request.query;
      const { roles } = operatorOf(request).operator;
      const filter = events.filter(roles, wanted);
      if (wantsPage(request)) {
        const page = await events.list(filter, after === undefined ? null : Number(after), size);
        return envelope(200, page) as never;
      }
      const resumed = lastEventId(request);
      const position =
        resumed === null
          ? await events.resumeAfter(after === undefined ? null : Number(after), '/after')
          : await events.resumeAfter(resumed, '/Last-Event-ID');
      app.startWaiting(request, reply);
      const stream = openEventStream(usualStreamLimits);
      open.add(stream);
      stream.body.once('close', () => open.delete(stream));
      streams.watch(
        stream.body,
        () => maySame(request),
        () => stream.end('what the key may read has changed'),
      );
      void pump(events, filter, position, stream);
      if (recorded && mayDo(roles, 'evaluations:read')) tellRecorded(recordedWatch, stream);
      return reply
        .type('text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream.body as never);
    },
  );
}

/** A stream unless only JSON is asked for: EventSource and curl get what they can follow. */
function wantsPage(request: FastifyRequest): boolean {
  const accept = headerValues(request, 'accept').join(',');
  return accept.includes('application/json') && !accept.includes('text/event-stream');
}

function lastEventId(request: FastifyRequest): number | null {
  const [value, ...others] = headerValues(request, 'last-event-id');
  if (value === undefined || value === '') return null;
  if (others.length === 0 && /^[0-9]{1,16}$/.test(value)) return Number(value);
  throw new AppError('invalid', 'must be the id of an event: up to 16 digits', { path: '/Last-Event-ID' });
}

/** A reader that is behind misses nothing: the next one says the same. */
const tellRecorded = (recordedWatch: RecordedWatch, { body, signal, send }: EventStream): void =>
  recordedWatch.watch(signal, (evaluationRunId) => {
    if (!body.writableNeedDrain) void send({ event: 'recorded', data: { evaluationRunId } });
  });

async function pump(events: Events, filter: EventFilter, begin: number, stream: EventStream): Promise<void> {
  try {
    // A reader that gets nothing before it loses its connection resumes here.
    await stream.send({ id: sequenceText(begin) });
    for await (const next of events.follow(filter, begin, stream.signal)) {
      if (next.kind === 'gap') {
        const data = { after: sequenceText(next.after), oldest: sequenceText(next.oldest) };
        await stream.send({ event: 'gap', data });
        continue;
      }
      const messages: Message[] = next.events.map((event) => ({
        id: sequenceText(event.sequence),
        data: events.text(event),
      }));
      const last = next.events.at(-1)?.sequence;
      if (last !== next.sequence) messages.push({ id: sequenceText(next.sequence) });
      await stream.send(...messages);
    }
  } catch {
    stream.end('the events cannot be read now: resume with Last-Event-ID');
  }
}

/** Server-sent events to one reader (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
interface EventStream {
  /** The body of the response. */
  body: PassThrough;
  /** Aborted when the reader is gone, or was told why it ends. */
  signal: AbortSignal;
  /** Sends them together. Resolves when there is room for more: what is held for a reader is bounded. */
  send(...messages: Message[]): Promise<void>;
  /** Tells the reader why, and ends the stream. */
  end(reason: string): void;
}

interface Message {
  /** The value that a reader sends as `Last-Event-ID` when it comes back. */
  id?: string;
  /** The type of messages that are no events of the log. */
  event?: string;
  /** A text is JSON already. */
  data?: object | string;
}

interface EventStreamLimits {
  /** Bytes that are held for a reader beside what its connection takes. */
  bufferBytes: number;
  /** How long a reader may take nothing while its buffer is full, in milliseconds. */
  stallMs: number;
  /** How often an idle stream shows that it is alive, in milliseconds: below the idle limits of common proxies. */
  heartbeatMs: number;
}

const usualStreamLimits: EventStreamLimits = {
  bufferBytes: 65_536,
  stallMs: 10_000,
  heartbeatMs: 15_000,
};

/** How long a reader has to take the reason of the end, in milliseconds. */
const farewellMs = 5_000;

/** Opens a stream that nobody reads yet: its `body` is the response. */
export function openEventStream({ bufferBytes, stallMs, heartbeatMs }: EventStreamLimits): EventStream {
  const body = new PassThrough({ highWaterMark: bufferBytes });
  const ended = new AbortController();
  const heartbeat = setInterval(() => {
    if (!body.writableNeedDrain) body.write(': heartbeat\n\n');
  }, heartbeatMs).unref();
  const stop = (): void => {
    clearInterval(heartbeat);
    ended.abort();
  };
  body.once('close', stop).on('error', stop);

  function end(reason: string): void {
    if (ended.signal.aborted) return;
    stop();
    body.end(textOf({ event: 'end', data: { reason } }));
    const farewell = setTimeout(() => body.destroy(), farewellMs).unref();
    body.once('close', () => clearTimeout(farewell));
  }

  async function write(text: string): Promise<void> {
    if (ended.signal.aborted || body.write(text)) return;
    const stalled = setTimeout(() => end('too slow: resume with Last-Event-ID'), stallMs);
    // Aborted when the reader is gone: nothing is left to wait for.
    await once(body, 'drain', { signal: ended.signal }).catch(() => undefined);
    clearTimeout(stalled);
  }

  return {
    body,
    signal: ended.signal,
    end,
    async send(...messages) {
      let text = '';
      for (const [place, message] of messages.entries()) {
        text += textOf(message);
        if (place < messages.length - 1 && text.length < bufferBytes) continue;
        await write(text);
        text = '';
      }
    },
  };
}

/** JSON has no line breaks, so that one line of data holds it. */
function textOf({ id, event, data }: Message): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${typeof data === 'string' ? data : JSON.stringify(data)}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}
