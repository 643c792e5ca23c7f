import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { parseWithTexts, type SentTexts } from '../../services/sent-texts.ts';
import { checkJson } from '../json-checks.ts';
import { jsonErrorPosition } from '../json-position.ts';
import { UnsupportedMedia } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent; empty when there was none. */
    bodyText: string;
    /** Of the body; null when there was none. */
    sentTexts: SentTexts | null;
  }
}

/**
 * Reads JSON bodies strictly, and keeps their text: some of it is given back as given. An empty body with a JSON
 * content type counts as none, because clients send that on GET and on `end`.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  app.decorateRequest('sentTexts', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJson(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** A compressed body would be charged and limited by the wrong size. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['content-encoding'] === undefined) return done(null, payload);
    done(new UnsupportedMedia('send the body without Content-Encoding'));
  });
}

function parseJson(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0) return null;
  request.bodyText = readText(body);
  const { value, texts } = asJson(request.bodyText, parseWithTexts);
  checkJson(value);
  request.sentTexts = texts;
  return value;
}

/** Bytes that are no UTF-8 would be replaced silently by decoding. */
export function readText(body: Buffer): string {
  if (!isUtf8(body)) throw new AppError('invalid', 'the body must be UTF-8', { path: '' });
  return body.toString();
}

export const readJson = (text: string): unknown => asJson(text, (json) => JSON.parse(json));

function asJson<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (cause) {
    const { line, column } = jsonErrorPosition(text);
    const message = `the body is not valid JSON: see line ${line}, column ${column}`;
    throw new AppError('invalid', message, { cause, details: [{ message, path: '', line, column }] });
  }
}
