import type { FastifyRequest } from 'fastify';

/**
 * Every value of a header, as it was sent; `name` is lower case. Node keeps the first of some repeated headers and
 * joins others, so a header that must not be repeated has to be counted here.
 */
export function headerValues(request: FastifyRequest, name: string): string[] {
  const { rawHeaders } = request.raw;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}
