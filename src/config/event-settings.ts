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
        'where people reach the service, such as `https://assize.example.com`: the source of events, and the start of links in notifications',
    }),
  ),
  ASSIZE_SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://(?:[^\\s/@?#:]+:[^\\s/@?#]+@)?[^\\s/@?#]+$',
      maxLength: 500,
      description:
        'the mail server of webhooks that send e-mail: `smtp://` (STARTTLS) or `smtps://`, with user and password, percent-encoded, where it needs them',
    }),
  ),
  ASSIZE_SMTP_FROM: Type.String({
    default: 'Assize <assize@localhost>',
    pattern: '^[^\\r\\n]{3,300}$',
    description: 'the sender of that e-mail',
  }),
  ASSIZE_SECRETS_KEY: Type.Optional(
    Type.String({
      description:
        'what encrypts the secrets of webhooks and callbacks in the database: 32 random bytes in base64; several separated by commas, of which the first one encrypts',
    }),
  ),
  ASSIZE_SECRETS_KEY_FILE: Type.Optional(
    Type.String({ minLength: 1, description: 'a file that holds that instead, a key a line' }),
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
    description: 'megabytes of events that it keeps; the oldest ones go first',
  }),
  ASSIZE_EVENT_LINES: Type.Unsafe<EventLineForm>({
    type: 'string',
    enum: [...eventLineForms],
    default: 'assize',
    description:
      'the form of the log lines, at level `info`, about decisions other than ALLOW and management changes: `assize` (CloudEvents), `ocsf` (API Activity), or `off`',
  }),
  ASSIZE_OCSF_VERSION: Type.String({
    default: '1.7.0',
    pattern: ocsfVersionPattern,
    description: 'the version of OCSF that lines of the form `ocsf` name, from 1.1.0 on',
  }),
};
