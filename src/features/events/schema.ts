import { type Static, Type } from '@sinclair/typebox';
import { JsonObject, Timestamp, Uuid } from '../../schemas/values.ts';

/** The longest filter by type, and the longest id of an event in the log, in characters. */
export const longestTypeFilter = 500;

/** Digits, so that it compares as text, as the CloudEvents extension `sequence` asks. */
export const EventSequence = Type.String({
  pattern: '^[0-9]{1,16}$',
  description: 'position in the log: 16 digits, without gaps',
});

export const Event = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({ ...Uuid, description: 'the same in every stream and delivery' }),
    source: Type.String({ description: '`ASSIZE_PUBLIC_URL`, or `urn:assize`' }),
    type: Type.String({ description: 'such as `evaluation.blocked`; new ones may be added' }),
    subject: Type.String({ description: 'what it is about, as a path below `/v1`' }),
    time: Timestamp,
    datacontenttype: Type.Literal('application/json'),
    sequence: EventSequence,
    data: JsonObject,
  },
  { description: 'CloudEvents 1.0 with the extension `sequence`; contains no content of actions' },
);
export type Event = Static<typeof Event>;

export const EventPage = Type.Object({
  events: Type.Array(Event),
  lastEventId: Type.String({
    ...EventSequence,
    description: 'position to continue after; beyond the last event of the page when a filter skipped others',
  }),
});
export type EventPage = Static<typeof EventPage>;
