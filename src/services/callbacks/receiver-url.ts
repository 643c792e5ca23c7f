/** What a URL must be to receive callbacks and webhooks. */
export const receiverUrlRule =
  'must be an http or https URL without user name and password, tabs and ends of lines';

/** Null when the text breaks the rule above. URL would leave tabs and ends of lines out, and read another address than was given. */
export function readReceiverUrl(text: string): URL | null {
  if (/\p{Cc}/u.test(text)) return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  return url.username === '' && url.password === '' ? url : null;
}
