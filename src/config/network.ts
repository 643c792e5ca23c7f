import ipaddr from 'ipaddr.js';
import type { TlsFiles } from '../http/tls.ts';
import { isAddressRange } from '../services/access/address-ranges.ts';
import { type FourEyes, fourEyesKinds } from '../services/access/four-eyes.ts';
import type { Settings } from './settings.ts';

/** The entries of a list separated by commas. */
export const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Adds to `mistakes` what is wrong. */
export function readFourEyes(text: string, mistakes: string[]): FourEyes[] {
  const given = listed(text);
  if (given.some((one) => !fourEyesKinds.some((known) => known === one))) {
    mistakes.push(
      `ASSIZE_FOUR_EYES: must be empty or of these, separated by commas: ${fourEyesKinds.join(', ')}`,
    );
  }
  return fourEyesKinds.filter((known) => given.includes(known));
}

/** Adds to `mistakes` what is wrong. */
export function readTrustProxy(text: string, mistakes: string[]): boolean | string[] {
  if (text === 'false' || text === 'true') return text === 'true';
  const entries = listed(text);
  const wrong = entries.filter((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry));
  if (entries.length === 0 || wrong.length > 0) {
    mistakes.push(
      `ASSIZE_TRUST_PROXY: must be false, true, or addresses and CIDR ranges separated by commas`,
    );
  }
  return entries;
}

/** Null without TLS. Adds to `mistakes` what is wrong. */
export function readTls(settings: Partial<Settings>, mistakes: string[]): TlsFiles | null {
  const { ASSIZE_TLS_CERT: cert = '', ASSIZE_TLS_KEY: key = '', ASSIZE_TLS_CLIENT_CA: ca = '' } = settings;
  if (cert !== '' && key === '') mistakes.push('ASSIZE_TLS_KEY: must be set together with ASSIZE_TLS_CERT');
  if (cert === '' && key !== '') mistakes.push('ASSIZE_TLS_CERT: must be set together with ASSIZE_TLS_KEY');
  if (cert === '' && ca !== '')
    mistakes.push('ASSIZE_TLS_CLIENT_CA: needs ASSIZE_TLS_CERT and ASSIZE_TLS_KEY');
  return cert === '' ? null : { cert, key, clientCa: ca === '' ? null : ca };
}

/** Adds to `mistakes` what is wrong: a list that anybody can get around would only look like one. */
export function readOperatorNetworks(
  text: string,
  trustProxy: boolean | string[],
  mistakes: string[],
): string[] {
  const networks = listed(text);
  if (!networks.every(isAddressRange)) {
    mistakes.push(
      'ASSIZE_OPERATOR_NETWORKS: must be IP addresses and CIDR ranges, like 203.0.113.0/24, separated by commas',
    );
  }
  if (networks.length > 0 && trustProxy === true) {
    mistakes.push(
      'ASSIZE_OPERATOR_NETWORKS: needs ASSIZE_TRUST_PROXY to be false or to name the proxies: with true, callers say themselves where they are',
    );
  }
  return networks;
}

/** Whether listening on it is listening on every address of the machine. */
export const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The console must be at an address that the service listens on; otherwise it could not be reached. */
export function consoleHostMistakes({
  ASSIZE_HOST: host,
  ASSIZE_CONSOLE_HOST: consoleHost,
}: Settings): string[] {
  if (consoleHost === '' || consoleHost === host) return [];
  if (!ipaddr.isValid(consoleHost) || isAnyAddress(consoleHost)) {
    return ['ASSIZE_CONSOLE_HOST: must be one IP address, such as 127.0.0.1'];
  }
  if (isAnyAddress(host)) return [];
  return [`ASSIZE_CONSOLE_HOST: must be ASSIZE_HOST (${host}), because the service listens on nothing else`];
}
