const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request may come from a page of this origin. Agents are no browsers and send none. A page that does may
 * have made its host's name point here (DNS rebinding), so the names must be equal and one that only this machine has.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && url.host === host && loopback.has(url.hostname);
}
