import type { TlsFiles } from '../http/tls.ts';
import { isAddressRange } from '../services/address-ranges.ts';
import { listed } from './list-settings.ts';
import type { Settings } from './settings.ts';

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
