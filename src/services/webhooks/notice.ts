import type { StoredEvent } from '../../store/store.ts';
import { isoTime } from '../times.ts';

/** An event in words, for every format that people read. Texts may come from an agent: each format escapes them. */
export interface Notice {
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
  'record.root': 'The record was signed',
  'webhook.ping': 'A test of this webhook',
};

/** Review events about a review that is still pending. */
const waiting = /^(?:review\.(?:opened|expiring|claimed|released|commented|extended)|evaluation\.held)$/;
/** What `whenNoPolicy` does. */
const everyAction = { ALLOW: 'is allowed', BLOCK: 'is blocked' } as const;
/** Longest value of a fact, in characters. */
const longestValue = 300;

export function noticeOf(
  event: StoredEvent,
  { publicUrl, now }: { publicUrl: string | null; now: number },
): Notice {
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

/** `3 h 45 min (until …)`, and seconds in the last minute. What was sent a moment after the hold has all of its time. */
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
