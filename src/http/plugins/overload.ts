import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Answers 503 while the event loop is late by more than `delayMs` on average; 0 never does. Health checks pass: an
 * orchestrator that restarts a busy process makes it worse.
 */
export async function shedOverload(app: FastifyInstance, delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: delayMs,
    sampleInterval: 250,
    pressureHandler(request) {
      if (request.url.startsWith('/health/')) return;
      throw new AppError('unavailable', 'the service is overloaded', { retryAfterSeconds: 1 });
    },
  });
}
