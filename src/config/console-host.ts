import ipaddr from 'ipaddr.js';
import type { Settings } from './settings.ts';

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
