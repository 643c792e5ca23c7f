import { evaluate } from './evaluate.ts';
import { awaitReview, listReviews } from './reviews.ts';
import { endSession, getSession, startSession } from './sessions.ts';
import type { Tool } from './tool.ts';

/** In the order they are listed. None of them decides a review: an agent must not approve itself. */
export const tools: readonly Tool[] = [
  evaluate,
  startSession,
  endSession,
  getSession,
  listReviews,
  awaitReview,
];
