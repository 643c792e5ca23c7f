import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** For the description of a route that takes it. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'the `ETag` of what is changed: 412 when it was changed since' }),
  ),
});

const entityTag = /^\s*(W\/)?"([\x21\x23-\x7e]*)"\s*$/;

/**
 * The versions that the caller of a change expects (RFC 9110, section 13.1.1); null when any will do. A weak tag, and one
 * that is no number, is that of no version.
 */
export function expectedVersions({ headers }: FastifyRequest): ReadonlySet<number> | null {
  const text = headers['if-match'];
  if (text === undefined || text.trim() === '*') return null;
  return new Set(
    text.split(',').flatMap((one) => {
      const [, weak, tag = ''] = entityTag.exec(one) ?? malformed();
      return weak === undefined && /^\d{1,15}$/.test(tag) ? [Number(tag)] : [];
    }),
  );
}

function malformed(): never {
  throw new AppError('invalid', 'If-Match must be the ETag of an earlier response, or *');
}

export const withETag = (reply: FastifyReply, version: number): FastifyReply =>
  reply.header('etag', `"${version}"`);
