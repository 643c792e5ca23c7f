/** What a URL must be to receive callbacks and webhooks. */
export const receiverUrlRule = 'must be an http or https URL without user name and password';

/** Null when the text breaks the rule above. */
export function readReceiverUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  return url.username === '' && url.password === '' ? url : null;
}
