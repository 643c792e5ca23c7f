import { AssizeError, type AssizeErrorCode } from '../client/error.ts';
import { ConfigError } from '../config/environment.ts';
import { AppError } from '../errors.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { printable } from './io.ts';

/** Where `serve` listens when nobody says otherwise. */
export const usualUrl = 'http://127.0.0.1:3000';

/** Codes that say nothing about what was asked: the same command may do its work at another time or with another key. */
const unreachable = new Set<AssizeErrorCode>([
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'unavailable',
  'internal',
  'network',
  'timeout',
  'unexpected_response',
]);

/** The message of a failed command, and its exit code. */
export function explainFailure(error: unknown): { code: ExitCode; lines: readonly string[] } {
  if (error instanceof ConfigError) return { code: exitCodes.wrongUse, lines: error.mistakes };
  if (error instanceof AssizeError) {
    const code = unreachable.has(error.code) ? exitCodes.unreachable : exitCodes.failed;
    const details = error.errors.length > 0 ? error.errors : [error];
    const reason = error.code === 'network' ? reasonOf(error) : '';
    return { code, lines: details.map((detail) => printable(sentence(detail) + reason)) };
  }
  if (error instanceof AppError && error.code === 'invalid') {
    return { code: exitCodes.wrongUse, lines: [error.message] };
  }
  return { code: exitCodes.failed, lines: [error instanceof Error ? error.message : String(error)] };
}

/** The reason that the system, or OpenSSL, gave for the connection: `: connect ECONNREFUSED 127.0.0.1:3000`. */
function reasonOf(error: Error): string {
  let cause: Error & { reason?: string; code?: string } = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  // OpenSSL reads the plain response as if it were a record of TLS.
  if (/wrong version number|packet length too long/.test(`${cause.reason} ${cause.message}`))
    return ': it speaks http, not https: change ASSIZE_URL or --url';
  const reason = cause === error ? '' : cause.reason || cause.message || cause.code;
  const elsewhere =
    cause.code === 'ECONNREFUSED' && error.message.endsWith(` ${usualUrl}`)
      ? ': start it (assize serve), or set ASSIZE_URL to where it listens'
      : '';
  return reason ? `: ${reason}${elsewhere}` : '';
}

function sentence({ message, ...detail }: { message: string; path?: string }): string {
  return detail.path ? `${detail.path.slice(1)}: ${message}` : message;
}
