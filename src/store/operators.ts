import type { OperatorRole, OperatorStatus } from '../schemas/operators.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredOperator {
  id: string;
  name: string;
  email: string | null;
  status: OperatorStatus;
  roles: OperatorRole[];
  groups: string[];
  entityId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface ListedOperator extends StoredOperator {
  /** Those that are not revoked. */
  keyCount: number;
}

export type NewOperator = Omit<StoredOperator, 'status' | 'updatedAt'>;
export type OperatorChange = Partial<Omit<StoredOperator, 'id' | 'createdAt' | 'updatedAt'>>;

export interface OperatorFilter {
  status?: OperatorStatus;
  role?: OperatorRole;
  group?: string;
}

export interface StoredOperatorKey {
  id: string;
  operatorId: string;
  name: string;
  /** Null for keys that were made before it was stored. */
  lastFour: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  /** From where it may be used; empty is from anywhere. */
  ipRanges: string[];
  revokedAt: number | null;
}

export interface NewOperatorKey extends Omit<StoredOperatorKey, 'lastUsedAt' | 'revokedAt' | 'lastFour'> {
  lastFour: string;
  keyHash: string;
}

/**
 * Operators are never deleted: records name them. Somebody must always be able to let others in: at least one ACTIVE owner
 * keeps a key that is not revoked, never expires and works from everywhere. What would leave none is refused: 'last_owner'.
 */
export interface OperatorStore {
  /** Whether any operator was ever created. */
  exist(): Promise<boolean>;

  /** Creates both only when no operator was ever created; false when one was. Two racing firsts give one true. */
  createFirst(operator: NewOperator, key: Omit<NewOperatorKey, 'operatorId'>): Promise<boolean>;

  /** 'email_taken': another has this e-mail address, in any case. */
  create(operator: NewOperator): Promise<StoredOperator | 'email_taken'>;

  find(id: string): Promise<StoredOperator | null>;

  /** Whatever the case of the letters. */
  findByEmail(email: string): Promise<StoredOperator | null>;

  /** Of every operator with this `entityId`, DISABLED ones included. */
  listIdsOfEntity(entityId: string): Promise<string[]>;

  /** Newest first. */
  list(page: PageRequest, filter: OperatorFilter): Promise<Page<ListedOperator>>;

  /** The ACTIVE owner who was created first: who gets the key that is made on the database itself. */
  findFirstOwner(): Promise<StoredOperator | null>;

  /** Fields that are absent stay as they are. 'outdated': a field is not as `expected` says. */
  change(
    id: string,
    change: OperatorChange,
    now: number,
    expected?: OperatorChange,
  ): Promise<StoredOperator | 'no_operator' | 'email_taken' | 'last_owner' | 'outdated'>;
}
