import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { OnceKey } from '../services/once.ts';
import { headerValues } from './header-values.ts';

/** The header of the Idempotency-Key draft of the IETF HTTP API working group. */
const header = 'idempotency-key';
const longestKey = 255;

export function onceKeyOf(request: FastifyRequest): OnceKey | null {
  const [key, ...others] = headerValues(request, header);
  if (key === undefined) return null;
  if (others.length > 0) throw new AppError('invalid', 'the Idempotency-Key header must be sent once');
  if (key.length < 1 || key.length > longestKey) {
    throw new AppError('invalid', `the Idempotency-Key header must have 1 to ${longestKey} characters`);
  }
  return { key, requestHash: hash('sha256', `${request.method}\n${request.url}\n${request.bodyText}`) };
}
