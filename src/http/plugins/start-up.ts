import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Holds requests until `started` resolves: the server listens before the first operator key is stored, and would reject that
 * key until then. If it resolves to false, they are refused.
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
