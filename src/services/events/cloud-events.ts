import type { Event } from '../../schemas/events.ts';
import type { StoredEvent } from '../../store/store.ts';
import { isoTime } from '../times.ts';

export const sequenceText = (sequence: number): string => String(sequence).padStart(16, '0');

/** The event in the form that every reader gets: structured CloudEvents 1.0 in JSON. */
export const cloudEvent = (event: StoredEvent, source: string): Event => ({
  specversion: '1.0',
  id: event.id,
  source,
  type: event.type,
  subject: event.subject,
  time: isoTime(event.at),
  datacontenttype: 'application/json',
  sequence: sequenceText(event.sequence),
  data: JSON.parse(event.data),
});
