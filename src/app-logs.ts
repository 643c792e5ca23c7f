import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { EventType } from './features/events/event-types.ts';
import { eventLine, newChain } from './features/events/forms.ts';
import type { OnUnprotected } from './features/integrations/protection.ts';
import type { SharedLimitsEvents } from './http/plugins/shared-limits.ts';
import type { ClockOptions } from './services/clock.ts';
import { isoTime } from './services/times.ts';
import type { Store } from './store/store.ts';

/** A line of OCSF is nothing else: what reads it knows no other fields. */
export function writeEventLines(
  store: Store,
  { eventLines: form, ocsfVersion, publicUrl }: Config,
  logger: Logger,
  lines: { write(line: string): unknown },
): void {
  const source = publicUrl ?? 'urn:assize';
  const options = { form, ocsfVersion, source, chain: newChain(ocsfVersion, randomUUID(), source) };
  store.events.onAppended((events) => {
    for (const event of events) {
      const line = eventLine(event, options);
      if (line === null) continue;
      if (form === 'ocsf') lines.write(`${JSON.stringify(line)}\n`);
      else logger.info(line, event.type);
    }
  });
}

/** An alert for those who read logs; who reads events gets the event. */
export function warnOfUnprotected(store: Store, logger: Pick<Logger, 'warn'>): void {
  const type: EventType = 'integration.unprotected';
  store.events.onAppended((events) => {
    for (const event of events)
      if (event.type === type)
        logger.warn(
          JSON.parse(event.data),
          'an integration lost its last enforced policy: whenNoPolicy decides now',
        );
  });
}

/** The most integrations that a line names. */
const mostNamed = 20;

export const unprotectedLog =
  (logger: Pick<Logger, 'warn'>): OnUnprotected =>
  (integrations, message) =>
    logger.warn(
      {
        integrations: integrations.slice(0, mostNamed).map(({ id, name }) => ({ id, name })),
        ...(integrations.length > mostNamed && { total: integrations.length }),
      },
      message,
    );

export function clockLog(logger: Logger): Pick<ClockOptions, 'onJump' | 'onBehind'> {
  return {
    onJump: (from, to) =>
      logger.warn(
        { from: isoTime(from), to: isoTime(to) },
        'the clock jumped ahead by more than a day: retention waits for assize retention confirm',
      ),
    onBehind: (latest, system) =>
      logger.warn(
        { latest: isoTime(latest), system: isoTime(system) },
        'the clock is behind the latest recorded time, and time goes on from there: set the clock, or run assize clock reset',
      ),
  };
}

export function redisLog(logger: Logger): SharedLimitsEvents {
  return {
    lost: (err) => logger.warn({ err }, 'Redis cannot be used: each process counts rate limits alone'),
    found: () => logger.info('Redis can be used again: rate limits count for all processes together'),
  };
}
