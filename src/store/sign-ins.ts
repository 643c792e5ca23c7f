/** An operator who is signed in to the console: whoever holds the token acts with that operator key. */
export interface StoredSignIn {
  operatorKeyHash: string;
  createdAt: number;
  /** When a person last used the console with it. */
  usedAt: number;
  /** When the operator last proved who it is. */
  confirmedAt: number;
}

export interface SignInStore {
  /**
   * Also deletes sign-ins that were created at or before `endedAt`, and the oldest of this key beyond `most`, so that the
   * table stays small.
   */
  create(
    signIn: { tokenHash: string; operatorKeyHash: string; createdAt: number },
    limits: { endedAt: number; most: number },
  ): Promise<void>;

  /** Null when unknown, created at or before `since.createdAt`, or last used at or before `since.usedAt`. */
  find(tokenHash: string, since: { createdAt: number; usedAt: number }): Promise<StoredSignIn | null>;

  /** Never moves the time of the last use back. */
  recordUse(tokenHash: string, now: number): Promise<void>;

  /** False when there is no such sign-in. */
  confirm(tokenHash: string, now: number): Promise<boolean>;

  /** False when there was no such sign-in. */
  end(tokenHash: string): Promise<boolean>;

  /** A link that signs in once. Also deletes those that expired at `now`. */
  createLink(
    link: { linkHash: string; operatorKeyHash: string; expiresAt: number },
    now: number,
  ): Promise<void>;

  /** The hash of the operator key the link is for, to one caller only; null when unknown, used or expired. */
  redeemLink(linkHash: string, now: number): Promise<string | null>;
}
