import type { GrantOffer, OpenGrant } from '../schemas/grants.ts';

/** A grant as its review shows it. */
export interface StoredGrant extends GrantOffer {
  usedCount: number;
  /** Milliseconds since 1970; null for as long as the session. */
  expiresAt: number | null;
}

/** Whether a grant can be used then. */
export const isOpenAt =
  (at: number) =>
  ({ usesLeft, expiresAt }: Pick<OpenGrant, 'usesLeft' | 'expiresAt'>): boolean =>
    usesLeft !== 0 && (expiresAt === null || expiresAt > at);
