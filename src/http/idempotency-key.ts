import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { IdempotencyKey } from '../evaluate/idempotency.ts';
import { headerValues } from './header-values.ts';

/** The header of the Idempotency-Key draft of the IETF HTTP API working group. */
const header = 'idempotency-key';
const longestKey = 255;

/** For the description of a route that takes it. */
export const IdempotencyKeyHeader = Type.Object({
  [header]: Type.Optional(
    Type.String({
      description: `1 to ${longestKey} characters of the caller's own: the same request under the same key counts once, and gets the stored response`,
    }),
  ),
});

/** The key that the request was sent with; null for none. Keys of operators never meet those of integrations, or of each other. */
export function idempotencyKeyOf(request: FastifyRequest): IdempotencyKey | null {
  const [key, ...others] = headerValues(request, header);
  if (key === undefined) return null;
  if (others.length > 0) throw new AppError('invalid', 'the Idempotency-Key header must be sent once');
  if (key.length < 1 || key.length > longestKey) {
    throw new AppError('invalid', `the Idempotency-Key header must have 1 to ${longestKey} characters`);
  }
  const { caller } = request;
  // No header has a line feed.
  const own = caller?.kind === 'operator' ? `${caller.operator.id}\n${key}` : key;
  return {
    key: hash('sha256', own),
    requestHash: hash('sha256', `${request.method}\n${request.url}\n${request.bodyText}`),
  };
}
