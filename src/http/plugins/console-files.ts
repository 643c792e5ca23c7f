import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A file in every encoding that is sent. */
interface ServedFile {
  type: string;
  etag: string;
  br: Buffer;
  gzip: Buffer;
  identity: Buffer;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Everything is ours: no inline script or style, no other host, no HTML made from text, no frame around it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept-encoding',
};

/** The names of these files change with their content. */
const forever = 'public, max-age=31536000, immutable';

export interface ConsoleFilesOptions {
  /** Where the build put the console; read when somebody first opens it. */
  folder: () => string;
}

/** Serves the files of the console below the scope's prefix, and its page at every other path there. */
export function serveConsoleFiles(scope: FastifyInstance, { folder }: ConsoleFilesOptions): void {
  let files: Promise<Map<string, ServedFile>> | null = null;
  const found = (): Promise<Map<string, ServedFile>> => {
    files ??= readFiles(folder()).catch((error: unknown) => {
      files = null;
      throw error;
    });
    return files;
  };

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const page = (await found()).get('index.html');
    if (!page) throw new Error('the console has no page: npm run build');
    return send(request, reply, page, 'no-cache');
  }

  scope.get('/assets/*', { schema: { hide: true } }, async (request, reply) => {
    const { '*': name } = request.params as { '*': string };
    const file = (await found()).get(`assets/${name}`);
    if (file) return send(request, reply, file, forever);
    reply.callNotFound();
    return reply;
  });
  for (const url of ['/', '/*']) scope.get(url, { schema: { hide: true } }, sendPage);
}

async function readFiles(folder: string): Promise<Map<string, ServedFile>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\//, ''));
  const read = async (name: string): Promise<[string, ServedFile]> => {
    const path = join(folder, name);
    const [identity, br, gzip] = await Promise.all(
      [path, `${path}.br`, `${path}.gz`].map((one) => readFile(one)),
    );
    if (!identity || !br || !gzip) throw new Error(`${name} is incomplete`);
    const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
    return [name, { type: types[extname(name)] ?? '', etag, identity, br, gzip }];
  };
  return new Map(await Promise.all(names.map(read)));
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  cacheControl: string,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '');
  // Each encoding needs a strong tag of its own.
  const etag = `${file.etag.slice(0, -1)}-${encoding}"`;
  reply.headers({ ...headers, 'cache-control': cacheControl, etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(file.type).send(file[encoding]);
}

function encodingFor(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted.split(',').map((part) => part.trim().toLowerCase());
  for (const encoding of ['br', 'gzip'] as const) {
    if (names.some((name) => name.split(';')[0] === encoding && !/;\s*q=0(?:\.0*)?$/.test(name)))
      return encoding;
  }
  return 'identity';
}
