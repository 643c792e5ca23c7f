import { AppError } from '../../errors.ts';
import type { WebhookFormat } from '../../schemas/webhooks.ts';
import { readReceiverUrl, receiverUrlRule } from '../callbacks/receiver-url.ts';

/** Where a webhook sends. */
export interface Destination {
  url: string | null;
  to: string[];
}

interface Given {
  url?: string | undefined;
  to?: string[] | undefined;
}

/** What the format sends to; refuses what is missing, and what belongs to another format. */
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
