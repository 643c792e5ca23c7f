import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Callers } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route exists only to refuse its method: it is not listed in `Allow`. */
    refusesMethod?: boolean;
  }
}

/** Alike for all paths: whether another one exists is told only to callers with a key. */
export const noSuchPath =
  'there is no such path: the API is under /v1 and described at /docs, health at /health/live and /health/ready';

type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

interface KnownPath {
  segments: readonly string[];
  methods: Set<string>;
  callers: Callers | undefined;
}

/**
 * Refuses a request that matches no route, before its body is read: 405 with `Allow` when its path takes another method,
 * 404 otherwise. A path that needs a key is told only to callers with one. Must be registered before the routes.
 */
export function refuseUnknownRoutes(app: FastifyInstance, authenticate: Authenticate): void {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const path = known.get(url) ?? { segments: url.split('/'), methods: new Set(), callers: config?.callers };
    known.set(url, path);
    if (config?.refusesMethod) return;
    for (const one of [method].flat()) path.methods.add(one);
  });

  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    const segments = request.url.replace(/[?#].*$/, '').split('/');
    const path = [...known.values()].find((one) => matches(one.segments, segments));
    if (!path) {
      await app.limitAddress(request, reply);
      throw new AppError('not_found', noSuchPath);
    }
    if (path.callers === undefined) await app.limitAddress(request, reply);
    else await authenticate(request, reply);
    const allowed = [...path.methods].sort().join(', ');
    reply.header('allow', allowed);
    throw new AppError('method_not_allowed', `this path takes ${allowed}`);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply).then(() => done(), done);
    else done();
  });
  // A handler that finds nothing calls this one too.
  app.setNotFoundHandler(refuse);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]));
}
