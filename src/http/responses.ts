import type { FastifyReply } from 'fastify';
import type { ServiceResponse } from '../features/sessions/service.ts';
import type { ResponsePage } from '../services/list-entries.ts';

const json = 'application/json; charset=utf-8';

/** The success envelope around a value. */
export const envelope = <Status extends number, T>(statusCode: Status, data: T) => ({
  success: true as const,
  statusCode,
  data,
});

export const pageEnvelope = <T>({ data, pagination }: ResponsePage<T>) => ({
  success: true as const,
  statusCode: 200 as const,
  data,
  pagination,
});

/** The success envelope around `data` that is JSON text already: it leaves as it was kept, to the byte. */
export function sendText(reply: FastifyReply, statusCode: number, data: string): FastifyReply {
  return reply.code(statusCode).type(json).send(`{"success":true,"statusCode":${statusCode},"data":${data}}`);
}

export function sendResponse(
  reply: FastifyReply,
  statusCode: number,
  { text, replayed }: Pick<ServiceResponse<unknown>, 'text' | 'replayed'>,
): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true');
  return sendText(reply, statusCode, text);
}

export function sendTextPage(reply: FastifyReply, { data, pagination }: ResponsePage<string>): FastifyReply {
  return reply
    .code(200)
    .type(json)
    .send(
      `{"success":true,"statusCode":200,"data":[${data.join(',')}],"pagination":${JSON.stringify(pagination)}}`,
    );
}

/** The page that a list shows when its request names none, and how many entries it has. */
export const defaultPage = { page: 1, size: 50 } as const;

/** The query of a list with `page` and `size`, by default the first 50. */
export const withPage = <Query extends { page?: number; size?: number }>(
  query: Query,
): Query & { page: number; size: number } => ({ ...defaultPage, ...query });
