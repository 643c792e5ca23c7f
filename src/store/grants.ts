import type { GrantOffer, OpenGrant } from '../schemas/grants.ts';

/** A grant as its review shows it. */
export interface StoredGrant extends GrantOffer {
  usedCount: number;
  /** Milliseconds since 1970; null for as long as the session. */
  expiresAt: number | null;
}

interface GrantRow extends Omit<OpenGrant, 'dataTags' | 'key' | 'policyId' | 'ruleId' | 'severity'> {
  /** JSON: `GrantOffer`. */
  offer: string;
  /** JSON list. */
  dataTags: string;
}

/** A grant that may still be used, from its row. */
export function toOpenGrant<Row extends GrantRow>({ offer, dataTags, ...row }: Row) {
  const { key, policyId, ruleId, severity } = JSON.parse(offer) as GrantOffer;
  return { ...row, key, policyId, ruleId, severity, dataTags: JSON.parse(dataTags) as string[] };
}

/** A grant that let an evaluation through, from its row. */
export function toUsedGrant<Row extends { offer: string }>({ offer, ...row }: Row) {
  const { policyId, ruleId } = JSON.parse(offer) as GrantOffer;
  return { ...row, policyId, ruleId };
}

/** Whether a grant can be used then. */
export const isOpenAt =
  (at: number) =>
  ({ usesLeft, expiresAt }: Pick<OpenGrant, 'usesLeft' | 'expiresAt'>): boolean =>
    usesLeft !== 0 && (expiresAt === null || expiresAt > at);
