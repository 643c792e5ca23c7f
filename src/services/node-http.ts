import type { Readable } from 'node:stream';

/**
 * The used part of `node:http`. An `import` of it reads all of its exports, and one of them (`WebSocket`) loads undici: 14 MB
 * of memory, and a quarter of the time of a start.
 */
export const { Agent, request } = process.getBuiltinModule('node:http');

export class TooLongResponse extends Error {}

/** All of a response as text. Rejects, naming `who` sent it, when it has more than `most` bytes. */
export async function readText(response: Readable, who: string, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new TooLongResponse(`${who} answered too much`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
