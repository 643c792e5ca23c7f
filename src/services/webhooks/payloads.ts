import type { Event } from '../../schemas/events.ts';
import type { Notice } from './notice.ts';

/** What is posted, in the form that each receiver reads. */
export interface Payload {
  contentType: string;
  body: string;
}

export const eventPayload = (event: Event): Payload => ({
  contentType: 'application/cloudevents+json; charset=utf-8',
  body: JSON.stringify(event),
});

/** Slack's mrkdwn reads `<…>` as links and mentions: https://docs.slack.dev/messaging/formatting-message-text */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Most characters of a text in a block, and most fields of a section. */
const slackLimits = { title: 150, field: 2_000, fields: 10 };

/** A message for an incoming webhook of Slack. Values are plain text, which Slack does not format. */
export function slackPayload({ title, facts, link }: Notice): Payload {
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
export function teamsPayload({ title, facts, link }: Notice): Payload {
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

export function mailText({ title, facts, link }: Notice): { subject: string; text: string } {
  const lines = [title, '', ...facts.map(([name, value]) => `${name}: ${value}`)];
  if (link !== null) lines.push('', link);
  // RFC 2047: a reader would decode `=?…?=` in a subject, and show what is not in the name.
  return { subject: `[Assize] ${title.replaceAll('=?', '= ?')}`, text: `${lines.join('\n')}\n` };
}
