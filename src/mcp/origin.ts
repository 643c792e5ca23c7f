const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a request with this Origin header is accepted. Agents are not browsers and send none. A web page may have pointed
 * its host name here (DNS rebinding), so the origin must equal this host, and that must be a loopback name.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && url.host === host && loopback.has(url.hostname);
}
