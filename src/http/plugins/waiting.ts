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
 * no limit.
 */
export function limitWaiting(app: FastifyInstance, most: number): void {
  const places = new FairShare();
  const capacity = most === 0 ? Number.POSITIVE_INFINITY : 2 * most;
  app.decorate('startWaiting', (request, { raw }) => {
    const key = callerKey(request);
    if (!places.take(key, 1, capacity)) {
      throw new AppError('rate_limited', 'too many long polls and streams of this key are open', {
        retryAfterSeconds: 5,
      });
    }
    const leave = (): void => {
      raw.removeListener('close', leave).removeListener('finish', leave);
      places.release(key, 1);
    };
    raw.once('finish', leave);
    onceClosed(raw, leave);
    app.onlyWaits(request);
  });
}
