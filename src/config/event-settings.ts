import { Type } from '@sinclair/typebox';
import { type EventLineForm, eventLineForms } from '../services/events/event-lines.ts';
import { ocsfVersionPattern } from '../services/events/ocsf.ts';

/** Settings of what the service tells others of what happens. */
export const eventSettings = {
  ASSIZE_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s/@?#]+(?:/[^\\s?#]*)?$',
      maxLength: 500,
      description:
        'URL at which people reach the service, such as `https://assize.example.com`: the `source` of events, and the base of links in notifications',
    }),
  ),
  ASSIZE_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://(?:[^\\s/@?#:]+:[^\\s/@?#]+@)?[^\\s/@?#]+$',
      maxLength: 500,
      description:
        'mail server for webhooks that send e-mail: `smtp://` (STARTTLS) or `smtps://`, with the user and password percent-encoded if it needs them',
    }),
  ),
  ASSIZE_SMTP_FROM: Type.String({
    default: 'Assize <assize@localhost>',
    pattern: '^[^\\r\\n]{3,300}$',
    description: 'sender of that e-mail',
  }),
  ASSIZE_SECRETS_KEY: Type.Optional(
    Type.String({
      description:
        'key that encrypts the secrets of webhooks and callbacks in the database: 32 random bytes in base64. With several keys, separated by commas, the first one encrypts and all decrypt',
    }),
  ),
  ASSIZE_SECRETS_KEY_FILE: Type.Optional(
    Type.String({ minLength: 1, description: 'file with these keys instead, one per line' }),
  ),
  ASSIZE_EVENTS_DAYS: Type.Number({
    default: 30,
    exclusiveMinimum: 0,
    maximum: 3_650,
    description: 'days for which the event log (`/v1/events`) keeps events',
  }),
  ASSIZE_EVENTS_MB: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 1_000_000,
    description: 'maximum size of the event log in megabytes; the oldest events are deleted first',
  }),
  ASSIZE_EVENT_LINES: Type.Unsafe<EventLineForm>({
    type: 'string',
    enum: [...eventLineForms],
    default: 'assize',
    description:
      'format of the log lines at level `info` for management changes and decisions other than ALLOW: `assize` (CloudEvents), `ocsf` (API Activity) or `off`',
  }),
  ASSIZE_OCSF_VERSION: Type.String({
    default: '1.7.0',
    pattern: ocsfVersionPattern,
    description: 'OCSF version named in log lines of the format `ocsf`; 1.1.0 or later',
  }),
};
