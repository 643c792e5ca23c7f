import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Requests that come before the service has `started` wait: it listens before the first operator key exists, and would refuse
 * that key until then. When `started` is false, they are refused.
 */
export function waitForStart(app: FastifyInstance, started: Promise<boolean>): void {
  let hasStarted = false;
  void started.then((is) => {
    hasStarted = is;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (hasStarted) return done();
    const goOn = (is: boolean) =>
      done(is ? undefined : new AppError('unavailable', 'the service could not start'));
    void started.then(goOn);
  });
}
