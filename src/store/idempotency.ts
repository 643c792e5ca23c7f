/** A request that must count once: the same key with the same hash gets the answer kept for it. */
export interface Idempotency {
  key: string;
  requestHash: string;
  /** Keys written before this moment are forgotten. */
  notBefore: number;
}
