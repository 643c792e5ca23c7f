import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { errorResponses, responseOf } from '../../../schemas/envelopes.ts';
import { EventPage, EventSequence, longestTypeFilter } from '../../../schemas/events.ts';
import { KeptText, Uuid } from '../../../schemas/values.ts';
import { sequenceText } from '../../../services/events/cloud-events.ts';
import type { EventFilter, Events } from '../../../services/events/events.ts';
import { mayDo } from '../../../services/permissions.ts';
import type { RecordedWatch } from '../../../services/recorded-watch.ts';
import { type EventStream, type Message, openEventStream, usualStreamLimits } from '../../event-stream.ts';
import { headerValues } from '../../header-values.ts';
import { type Credentials, identifyAgain, operatorOf, operatorsWith } from '../../plugins/authenticate.ts';
import { createOpenStreams } from '../../plugins/open-streams.ts';
import { envelope } from '../../responses.ts';
import type { Scope } from '../../scope.ts';

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
