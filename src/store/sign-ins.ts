/** In whose name a sign-in acts; exactly one of the two is null. */
export interface SignInIdentity {
  /** Of the key that was entered: the sign-in stands for this key. */
  operatorKeyHash: string | null;
  /** Of the operator whom the identity provider named: the sign-in stands for this operator, without a key. */
  operatorId: string | null;
}

/** Somebody who is signed in to the console: whoever holds the token acts with that key, or as that operator. */
export interface StoredSignIn extends SignInIdentity {
  createdAt: number;
  /** When a person last used the console with it. */
  usedAt: number;
  /** When the operator last proved who it is; 0 when that is not known. */
  confirmedAt: number;
}

export interface NewSignIn extends SignInIdentity {
  tokenHash: string;
  createdAt: number;
  confirmedAt: number;
}

export interface SignInStore {
  /**
   * Also deletes sign-ins that were created at or before `endedAt`, and the oldest of the same identity beyond `most`, so that
   * the table stays small.
   */
  create(signIn: NewSignIn, limits: { endedAt: number; most: number }): Promise<void>;

  /** Null when unknown, created at or before `since.createdAt`, or last used at or before `since.usedAt`. */
  find(tokenHash: string, since: { createdAt: number; usedAt: number }): Promise<StoredSignIn | null>;

  /** Never moves the time of the last use back. */
  recordUse(tokenHash: string, now: number): Promise<void>;

  /** The operator proved who it is at `confirmedAt`, which is also a use at `now`. False when there is no such sign-in. */
  confirm(tokenHash: string, confirmedAt: number, now: number): Promise<boolean>;

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
