import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { inTurn, readJson } from '../http/plugins/json-body.ts';

/** Only parses bodies: limits on depth and content differ by part. */
export function readRpcBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json');
  const parse = inTurn(scope, (request, body) => {
    if (!isUtf8(body)) throw new AppError('invalid', 'the body must be UTF-8');
    request.bodyText = body.toString();
    return readJson(request.bodyText);
  });
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}
