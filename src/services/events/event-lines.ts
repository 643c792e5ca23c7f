import type { StoredEvent } from '../../store/store.ts';
import { version } from '../../version.ts';
import { cloudEvent } from './cloud-events.ts';
import { ocsfEvent } from './ocsf.ts';

export const eventLineForms = ['assize', 'ocsf', 'off'] as const;
export type EventLineForm = (typeof eventLineForms)[number];

export interface EventLineOptions {
  form: EventLineForm;
  ocsfVersion: string;
  source: string;
}

/** Sessions, signed roots and what time does to reviews are neither a decision nor a management change. */
const unlogged = /^session\.|^record\.|^review\.(?:opened|consumed|expiring|expired)$/;

/**
 * The log line of an event, as an object; null for one that has none. The form `assize` wraps the event as every reader gets
 * it; `ocsf` is the event in the form of OCSF and nothing else.
 */
export function eventLine(
  event: StoredEvent,
  { form, ocsfVersion, source }: EventLineOptions,
): object | null {
  if (form === 'off' || unlogged.test(event.type)) return null;
  if (form === 'ocsf') return ocsfEvent(event, { ocsf: ocsfVersion, product: version });
  return { event: cloudEvent(event, source) };
}
