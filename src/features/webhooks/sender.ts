import { AppError } from '../../errors.ts';
import { readReceiverUrl, receiverUrlRule } from '../../services/callbacks/address-policy.ts';
import type { CallbackSender, Delivery } from '../../services/callbacks/callback-sender.ts';
import { type SecretBox, SecretUnreadable } from '../../services/secrets/secret-box.ts';
import { isoTime } from '../../services/times.ts';
import type { StoredEvent, StoredWebhook } from '../../store/store.ts';
import { cloudEvent } from '../events/forms.ts';
import type { Event } from '../events/schema.ts';
import type { Mailer } from './mailer.ts';
import type { WebhookFormat } from './schema.ts';

/** Where a webhook sends. */
export interface Destination {
  url: string | null;
  to: string[];
}

interface Given {
  url?: string | undefined;
  to?: string[] | undefined;
}

/** The destination of a format. Refuses a missing one, and a field that belongs to another format. */
export function readDestination(format: WebhookFormat, { url, to }: Given): Destination {
  if (format === 'EMAIL') {
    if (url !== undefined) throw invalid('/url', 'EMAIL sends to addresses: leave it out');
    if (to === undefined) throw invalid('/to', 'EMAIL needs the addresses to send to');
    return { url: null, to };
  }
  if (to !== undefined) throw invalid('/to', `${format} sends to a url: leave it out`);
  if (url === undefined) throw invalid('/url', `${format} needs the address to send to`);
  if (!readReceiverUrl(url)) throw invalid('/url', receiverUrlRule);
  return { url, to: [] };
}

const invalid = (path: string, message: string): AppError => new AppError('invalid', message, { path });

/** Names the place that a text is sealed for: a copy of it cannot be opened anywhere else. */
export const placeOf = (id: string, field: 'destination' | 'secret'): string => `webhooks/${id}/${field}`;

export interface WebhookSender {
  /** One attempt; never throws. */
  send(webhook: StoredWebhook, event: StoredEvent): Promise<Delivery>;
}

export function createWebhookSender(deps: {
  http: CallbackSender;
  /** Null without ASSIZE_SMTP_URL. */
  mailer: Mailer | null;
  box: SecretBox;
  now: () => number;
  source: string;
  publicUrl: string | null;
}): WebhookSender {
  const { http, mailer, box, now, source, publicUrl } = deps;

  function secretsOf({ id, secret, previousSecret, previousSecretUntil }: StoredWebhook): string[] {
    const place = placeOf(id, 'secret');
    const overlaps = previousSecret !== null && (previousSecretUntil ?? 0) > now();
    return [secret, overlaps ? previousSecret : null].flatMap((sealed) =>
      sealed === null ? [] : [box.open(sealed, place)],
    );
  }

  function payloadOf({ format }: StoredWebhook, event: StoredEvent): Payload {
    if (format === 'EVENTS') return eventPayload(cloudEvent(event, source));
    const notice = noticeOf(event, { publicUrl, now: now() });
    return format === 'SLACK' ? slackPayload(notice) : teamsPayload(notice);
  }

  async function send(webhook: StoredWebhook, event: StoredEvent): Promise<Delivery> {
    const { url, to }: Destination = JSON.parse(
      box.open(webhook.destination, placeOf(webhook.id, 'destination')),
    );
    if (url === null) {
      if (!mailer) return { delivered: false, reason: 'ASSIZE_SMTP_URL is not set', permanent: false };
      return mailer.send({ id: event.id, to, ...mailText(noticeOf(event, { publicUrl, now: now() })) });
    }
    return http.send({ id: event.id, url, secrets: secretsOf(webhook), ...payloadOf(webhook, event) });
  }

  return {
    send: (webhook, event) =>
      send(webhook, event).catch((error: unknown) => {
        // The operator may put the key back: nothing is lost meanwhile.
        if (error instanceof SecretUnreadable) {
          return { delivered: false, reason: error.message, permanent: false };
        }
        throw error;
      }),
  };
}

/** An event in words, for every format that people read. Texts may come from an agent: each format escapes them. */
interface Notice {
  title: string;
  facts: readonly (readonly [name: string, value: string])[];
  /** Where to act on it; null when the service does not know its own address. */
  link: string | null;
}

interface EventData {
  integrationName?: string;
  tool?: string | null;
  severity?: string | null;
  rules?: string[];
  violations?: { ruleName: string }[];
  dataTags?: string[];
  createdAt?: string;
  expiresAt?: string;
  actor?: { name: string };
  assignee?: { name: string } | null;
  name?: string;
  operation?: string;
  reviewRequestId?: string | null;
  whenNoPolicy?: 'ALLOW' | 'BLOCK';
  hash?: string;
  tools?: { name: string; change: string; held: boolean }[];
}

const titles: Readonly<Record<string, string>> = {
  'evaluation.warned': 'Warning',
  'evaluation.held': 'Held for review',
  'evaluation.blocked': 'Blocked',
  'review.opened': 'A review is waiting',
  'review.limit-reached': 'Blocked: too many reviews are waiting',
  'review.expiring': 'A review is about to expire',
  'review.expired': 'A review expired without a decision',
  'review.cancelled': 'A review ended with its session',
  'review.claimed': 'A review was claimed',
  'review.released': 'A review was released',
  'review.commented': 'A review has a comment',
  'review.extended': 'A review was extended',
  'review.approved': 'A review was approved',
  'review.rejected': 'A review was rejected',
  'review.consumed': 'An approval was used',
  'integration.unprotected': 'No policy is enforced any more',
  'tools.changed': 'Tools were changed',
  'tool.undescribed': 'A tool without a description was called',
  'record.root': 'The record was signed',
  'webhook.ping': 'A test of this webhook',
};

/** Review events about a review that is still pending. */
const waiting = /^(?:review\.(?:opened|expiring|claimed|released|commented|extended)|evaluation\.held)$/;
/** The effect of `whenNoPolicy`. */
const everyAction = { ALLOW: 'is allowed', BLOCK: 'is blocked' } as const;
/** Longest value of a fact, in characters. */
const longestValue = 300;

function noticeOf(event: StoredEvent, { publicUrl, now }: { publicUrl: string | null; now: number }): Notice {
  const data: EventData = JSON.parse(event.data);
  const rules = data.rules ?? [...new Set(data.violations?.map(({ ruleName }) => ruleName) ?? [])];
  const facts: [string, string | null | undefined][] = [
    ['Tool', data.tool],
    ['Integration', data.integrationName],
    ['Severity', data.severity],
    ['Rules', rules.join(', ')],
    ['Data found', data.dataTags?.join(', ')],
    ['Waiting since', waiting.test(event.type) ? data.createdAt : null],
    ['Time left', waiting.test(event.type) && data.expiresAt ? timeLeft(data.expiresAt, now) : null],
    ['By', data.actor?.name],
    ['Claimed by', data.assignee?.name],
    ['Name', data.name],
    ['Operation', data.operation],
    ['Every action', data.whenNoPolicy && everyAction[data.whenNoPolicy]],
    ['Tools', data.tools?.map(({ name, held }) => `${name}${held ? ' (held)' : ''}`).join(', ')],
    ['Root', data.hash],
    ['At', isoTime(event.at)],
  ];
  const subject = data.tool ?? data.name ?? (data.whenNoPolicy && data.integrationName);
  const title = titles[event.type] ?? event.type;
  return {
    title: plain(subject ? `${title}: ${subject}` : title),
    facts: facts.flatMap(([name, value]) => (value ? [[name, plain(value)] as const] : [])),
    link: publicUrl === null ? null : publicUrl + pathOf(event, data),
  };
}

function pathOf({ subject, type }: StoredEvent, { reviewRequestId }: EventData): string {
  const id = type.startsWith('review.') ? subject.split('/')[1] : reviewRequestId;
  return id ? `/console/reviews?id=${encodeURIComponent(id)}` : '/console/';
}

/** `3 h 45 min (until …)`, and seconds in the last minute. Rounded, so that a message sent a moment after the hold shows the full time. */
function timeLeft(expiresAt: string, now: number): string {
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return `none (expired at ${expiresAt})`;
  const seconds = Math.round(leftMs / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const words = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : ''].filter(
    (part) => part !== '',
  );
  return `${words.join(' ') || `${Math.max(1, seconds)} s`} (until ${expiresAt})`;
}

/** On one line, and without invisible characters or those that turn the direction of writing: a name must not look like another. */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, longestValue)
    // Half of a surrogate pair at the cut is no text: a receiver may refuse the whole message.
    .toWellFormed();

/** The body that is posted, in the format of the receiver. */
export interface Payload {
  contentType: string;
  body: string;
}

const eventPayload = (event: Event): Payload => ({
  contentType: 'application/cloudevents+json; charset=utf-8',
  body: JSON.stringify(event),
});

/** Slack's mrkdwn reads `<…>` as links and mentions: https://docs.slack.dev/messaging/formatting-message-text */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Most characters of a text in a block, and most fields of a section. */
const slackLimits = { title: 150, field: 2_000, fields: 10 };

/** A message for an incoming webhook of Slack. Values are plain text, which Slack does not format. */
function slackPayload({ title, facts, link }: Notice): Payload {
  const fields = facts.slice(0, slackLimits.fields).map(([name, value]) => ({
    type: 'plain_text',
    text: `${name}: ${value}`.slice(0, slackLimits.field),
    emoji: false,
  }));
  const blocks = [
    {
      type: 'header',
      text: { type: 'plain_text', text: title.slice(0, slackLimits.title).toWellFormed(), emoji: false },
    },
    ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
    ...(link === null
      ? []
      : [
          {
            type: 'actions',
            elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Assize' }, url: link }],
          },
        ]),
  ];
  const text = slackText(link === null ? title : `${title} ${link}`);
  const asTyped = { mrkdwn: false, unfurl_links: false, unfurl_media: false };
  return { contentType: 'application/json', body: JSON.stringify({ text, ...asTyped, blocks }) };
}

/** An Adaptive Card for an incoming webhook of Microsoft Teams. Text runs are not read as Markdown, unlike text blocks. */
function teamsPayload({ title, facts, link }: Notice): Payload {
  const line = (...runs: object[]) => ({ type: 'RichTextBlock', inlines: runs });
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      line(run(title, { size: 'Large', weight: 'Bolder' })),
      ...facts.map(([name, value]) => line(run(`${name}: `, { weight: 'Bolder' }), run(value))),
    ],
    actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Assize', url: link }],
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  };
  return {
    contentType: 'application/json',
    body: JSON.stringify({ type: 'message', attachments: [attachment] }),
  };
}

function mailText({ title, facts, link }: Notice): { subject: string; text: string } {
  const lines = [title, '', ...facts.map(([name, value]) => `${name}: ${value}`)];
  if (link !== null) lines.push('', link);
  // RFC 2047: a reader would decode `=?…?=` in a subject, and show what is not in the name.
  return { subject: `[Assize] ${title.replaceAll('=?', '= ?')}`, text: `${lines.join('\n')}\n` };
}
