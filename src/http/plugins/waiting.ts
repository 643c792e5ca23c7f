import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';
import { FairShare } from '../../services/fair-share.ts';
import { onceClosed } from '../gone-signal.ts';
import { callerKey } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Must be called before a request that from here on only waits, for a person or an event. It is no longer counted as in
     * flight. Throws 429 when its caller has too many that wait.
     */
    startWaiting(request: FastifyRequest, reply: FastifyReply): void;
  }
}

/**
 * Bounds the long polls and streams that one caller holds open: each costs memory and a timer, for as long as the caller
 * likes. `most` is what one caller may hold when no other does; with others, each has a fair share of twice as many. 0 is
 * no limit. All operators count as one caller, and one of them may hold a quarter of `most`: an operator who may only read must not
 * keep the others from following events.
 */
export function limitWaiting(app: FastifyInstance, most: number): void {
  const places = new FairShare();
  const capacity = most === 0 ? Number.POSITIVE_INFINITY : 2 * most;
  const ofOperators = new FairShare();
  const mostOfOperator = most === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(most / 4));
  app.decorate('startWaiting', (request, { raw }) => {
    const key = callerKey(request);
    const operator = request.caller?.kind === 'operator' ? request.caller.operator.id : null;
    if (operator !== null && ofOperators.usedBy(operator) >= mostOfOperator) {
      throw new AppError(
        'rate_limited',
        `this operator has ${mostOfOperator} streams open already, and may have no more`,
        {
          retryAfterSeconds: 5,
        },
      );
    }
    if (!places.take(key, 1, capacity)) {
      throw new AppError('rate_limited', 'too many long polls and streams of this key are open', {
        retryAfterSeconds: 5,
      });
    }
    if (operator !== null) ofOperators.take(operator, 1, Number.POSITIVE_INFINITY);
    const leave = (): void => {
      raw.removeListener('close', leave).removeListener('finish', leave);
      places.release(key, 1);
      if (operator !== null) ofOperators.release(operator, 1);
    };
    raw.once('finish', leave);
    onceClosed(raw, leave);
    app.onlyWaits(request);
  });
}
