import { type Id, MessageError, rpcCodes } from '../../mcp-proxy/message.ts';

/** A line that is a message, or why it is none. */
export type Line = string | MessageError;

const newline = 0x0a;

/**
 * Divides what a stream brings into lines. A line beyond the limit is not kept: of it, only the id is read, so that nobody waits
 * for ever for what was asked or answered in it.
 */
export class LineReader {
  readonly #mostBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #oversized: EnvelopeScanner | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The lines that end in this chunk. */
  *read(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      const line = this.#end();
      if (line !== null) yield line;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#mostBytes && this.#oversized === null) {
      this.#oversized = new EnvelopeScanner();
      for (const kept of this.#parts) this.#oversized.scan(kept);
      this.#parts = [];
    }
    if (this.#oversized !== null) this.#oversized.scan(part);
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Null for an empty line. */
  #end(): Line | null {
    const [parts, oversized] = [this.#parts, this.#oversized];
    this.#parts = [];
    this.#bytes = 0;
    this.#oversized = null;
    if (oversized !== null) {
      const message = `the message is larger than ${this.#mostBytes} bytes`;
      return new MessageError(rpcCodes.invalidRequest, message, oversized.id, !oversized.hasMethod);
    }
    const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
    try {
      const text = this.#decoder.decode(bytes);
      return text.trim() === '' ? null : text;
    } catch {
      return new MessageError(rpcCodes.parse, 'the message is not UTF-8');
    }
  }
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const longestKept = 300;

/** Finds the id in a message that is not kept. */
class EnvelopeScanner {
  id: Id | null = null;
  hasMethod = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #key = '';
  /** The part of the outermost object that was read since its last comma or colon. */
  #token = '';

  scan(bytes: Uint8Array): void {
    for (const byte of bytes) this.#step(byte);
  }

  #step(byte: number): void {
    if (this.#depth === 1 && this.#token.length < longestKept) this.#token += String.fromCharCode(byte);
    if (this.#inString) this.#stepInString(byte);
    else if (byte === quote) this.#inString = true;
    else if (opening.has(byte)) {
      this.#depth++;
      if (this.#depth === 1) this.#token = '';
    } else {
      if (this.#depth === 1) this.#stepInEnvelope(byte);
      if (closing.has(byte)) this.#depth--;
    }
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #stepInEnvelope(byte: number): void {
    if (byte === colon) {
      this.#key = this.#token.slice(0, -1).trim();
      this.hasMethod ||= this.#key === '"method"';
      this.#token = '';
    } else if (byte === comma || closing.has(byte)) {
      if (this.#key === '"id"') this.#readId(this.#token.slice(0, -1));
      this.#token = '';
    }
  }

  #readId(text: string): void {
    try {
      const id: unknown = JSON.parse(text);
      this.id = typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : null;
    } catch {
      this.id = null;
    }
  }
}
