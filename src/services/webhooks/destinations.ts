import { AppError } from '../../errors.ts';
import type { WebhookFormat } from '../../schemas/webhooks.ts';

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
  const parsed = URL.parse(url);
  const isHttp = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (!parsed || !isHttp || parsed.username !== '' || parsed.password !== '') {
    throw invalid('/url', 'must be an http or https URL without user name and password');
  }
  return { url, to: [] };
}

const invalid = (path: string, message: string): AppError => new AppError('invalid', message, { path });
