import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { largeText } from '../../evaluate/scanning/scan-pool.ts';
import { noTexts, parseWithTexts, type SentTexts } from '../../evaluate/verbatim-texts.ts';
import { hasDuplicateKeys, hasEscapedKeys, hasMoreKeysThan, isNestedDeeper } from '../../json/members.ts';
import { parseStrictly, tryParseStrictly } from '../../json/parse.ts';
import { JsonMistake, JsonReader, UNFINISHED } from '../../json/read-exactly.ts';
import { bodyJson, checkJson, deepestBody, unescapedJson } from '../json-checks.ts';
import { UnsupportedMedia } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent; empty when there is none. */
    bodyText: string;
    /** The texts that the body was sent as; null when there is none. */
    sentTexts: SentTexts | null;
    /** Whether the body is what `JSON.parse` makes of its text. */
    isPlainBody: boolean;
  }
}

/**
 * Reads JSON bodies strictly and keeps their text, because metadata is returned exactly as it was sent. An empty body
 * with a JSON content type counts as no body, because clients send that on GET and on `end`.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  app.decorateRequest('sentTexts', null);
  app.decorateRequest('isPlainBody', false);
  // A connection keeps its last request until the next one has arrived.
  app.addHook('onResponse', (request, _reply, done) => {
    request.body = null;
    request.bodyText = '';
    request.sentTexts = null;
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, inTurn(app, readBody));
}

/** A compressed body would be charged and limited by the wrong size. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['content-encoding'] === undefined) return done(null, payload);
    done(new UnsupportedMedia('send the body without Content-Encoding'));
  });
}

type BodyParser = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** A body that is still to be read exactly: it takes as long again as what was done. */
class Unfinished {
  readonly read: () => unknown;
  constructor(read: () => unknown) {
    this.read = read;
  }
}

/** A parser for Fastify: large bodies wait for their turn. */
export function inTurn(
  app: FastifyInstance,
  parse: (request: FastifyRequest, body: Buffer) => unknown,
): BodyParser {
  const run: BodyParser = (request, body, done) => {
    const finish = (read: () => unknown): void => {
      let value: unknown;
      try {
        value = read();
      } catch (error) {
        done(error as Error);
        return;
      }
      if (value instanceof Unfinished) setImmediate(finish, value.read);
      else done(null, value);
    };
    finish(() => parse(request, body));
  };
  return (request, body, done) => {
    const turn = app.turnToParse(request, body.length);
    if (turn === null) return run(request, body, done);
    void turn.then(() => run(request, body, done));
  };
}

/** The most keys of all objects of a body together. Everybody waits while a body is parsed: 95,000 would take 100 ms. */
const mostKeys = 10_000;

/** The value of a body; unfinished when it is large and has to be read exactly. */
export function readBody(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0) return null;
  const text = readText(body);
  if (text.length > largeText) {
    if (hasMoreKeysThan(text, mostKeys))
      throw new AppError('invalid', `must have at most ${mostKeys} different names of members`, { path: '' });
    // Parsed at once, it would take a tenth of a second.
    if (isNestedDeeper(text, deepestBody)) return readInTurns(text, deepestBody);
  }
  let parsed: ReturnType<typeof parseWithTexts>;
  try {
    parsed = text.length > largeText ? parseAlone(text) : parseWithTexts(text);
  } catch (cause) {
    return andThen(readInTurns(text), () => {
      throw mistakeIn(text, cause);
    });
  }
  const { value, texts } = parsed;
  request.bodyText = text;
  request.sentTexts = texts;
  const inTurns = (read: () => unknown): unknown => (text.length > largeText ? new Unfinished(read) : read());
  const exactly = (): unknown => inTurns(() => readInTurns(text));
  const isEscaped = text.includes('\\');
  if (isEscaped && hasEscapedKeys(text))
    return andThen(exactly(), (exact) =>
      inTurns(() => {
        checkJson(exact);
        return exact;
      }),
    );
  const { members, hasLargeNumbers } = checkJson(value, '', isEscaped ? bodyJson : unescapedJson);
  // Another parser may read the other of two members with the same key, and act on what no policy has seen.
  const isExact = !hasLargeNumbers && !hasDuplicateKeys(text, members);
  request.isPlainBody = isExact;
  return isExact ? value : exactly();
}

/** Values that are read exactly in one turn of the event loop: a millisecond or two. */
const valuesInTurn = 4_096;

function readInTurns(text: string, deepest?: number): unknown {
  const reader = new JsonReader(text, undefined, deepest);
  const goOn = (): unknown => {
    const value = asJson(text, () => reader.read(valuesInTurn));
    return value === UNFINISHED ? new Unfinished(goOn) : value;
  };
  return goOn();
}

const andThen = (value: unknown, then: (value: unknown) => unknown): unknown =>
  value instanceof Unfinished ? new Unfinished(() => andThen(value.read(), then)) : then(value);

/** The thread that scans a large request finds its long texts itself. */
const parseAlone = (text: string) => ({ value: JSON.parse(text) as unknown, texts: noTexts });

/** Stands in a decoded text for bytes that are not UTF-8. */
const replacement = '\ufffd';

/** Bytes that are not UTF-8 would be replaced silently by decoding. */
export function readText(body: Buffer): string {
  const text = body.toString();
  if (text.includes(replacement) && !isUtf8(body))
    throw new AppError('invalid', 'the body must be UTF-8', { path: '' });
  return text;
}

/** Deepest nesting of JSON whose parts have limits of their own. */
const deepestMessage = 2 * deepestBody;

/** For `inTurn`: reads JSON strictly, and leaves its depth and contents to be checked. */
export function readMessage(text: string): unknown {
  if (isNestedDeeper(text, deepestMessage)) return readInTurns(text, deepestMessage);
  const value = tryParseStrictly(text);
  return value === undefined ? readInTurns(text) : value;
}

/** Parses JSON strictly, and leaves its depth and contents to be checked. */
export const readJson = (text: string): unknown => asJson(text, parseStrictly);

function asJson<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (cause) {
    throw mistakeIn(text, cause);
  }
}

/** The error for a text that is not the JSON we accept; its cause is a SyntaxError when it is not JSON at all. */
function mistakeIn(text: string, cause: unknown): AppError {
  if (!(cause instanceof JsonMistake))
    return new AppError('invalid', 'the body is not valid JSON', { path: '', cause });
  const { kind, message, path, offset } = cause;
  const line = lineAt(text, offset);
  const column = offset === 0 ? 1 : offset - text.lastIndexOf('\n', offset - 1);
  if (kind === 'value')
    return new AppError('invalid', message, { details: [{ message, path, line, column }] });
  const said = `the body is not valid JSON: line ${line}, column ${column}: ${message}`;
  return new AppError('invalid', said, {
    cause: new SyntaxError(message),
    details: [{ message: said, path: '', line, column }],
  });
}

/** The line of a place, from 1. A list of all lines would take 10 ms for a body of 1 MB. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) if (text.charCodeAt(i) === 10) line++;
  return line;
}
