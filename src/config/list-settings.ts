import ipaddr from 'ipaddr.js';
import { type FourEyes, fourEyesKinds } from '../services/four-eyes.ts';

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
