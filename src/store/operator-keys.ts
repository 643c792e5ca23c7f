export interface OperatorKeyStore {
  /** Whether any operator key was ever created. */
  exist(): Promise<boolean>;

  /** Creates the key only when no operator key was ever created; false when one was. Two racing firsts give one true. */
  createFirst(key: { id: string; keyHash: string; createdAt: number }): Promise<boolean>;

  /** The id of the operator key with this hash; null when unknown or revoked. */
  find(keyHash: string): Promise<string | null>;
}
