import { AppError } from '../../errors.ts';
import { checkRanges } from '../../services/access/address-ranges.ts';
import { localOperatorId, type OperatorCaller } from '../../services/access/authentication.ts';
import { createKey, hashKey, lastFourOf, operatorKeyPrefix } from '../../services/access/keys.ts';
import { type FourEyes, permissionsOf } from '../../services/access/permissions.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { asExpected, found, notFound } from '../../services/refusals.ts';
import { isoTime, isoTimeOrNull, parseFutureTime } from '../../services/times.ts';
import type {
  OperatorFilter,
  PageRequest,
  Store,
  StoredOperator,
  StoredOperatorKey,
} from '../../store/store.ts';
import type {
  ChangeOperator,
  CreatedOperatorKey,
  CreateOperator,
  CreateOperatorKey,
  CurrentOperator,
  ListedOperator,
  Operator,
  OperatorKey,
} from './schema.ts';

/** The error for a change that would leave nobody who can let others in: see `OperatorStore`. */
const lastOwner = (): AppError =>
  new AppError(
    'conflict',
    'one active owner must keep a key that never expires and works from everywhere, or nobody could let others in',
  );

export interface OperatorKeys {
  create(caller: OperatorCaller, request: CreateOperatorKey): Promise<CreatedOperatorKey>;
  list(
    caller: OperatorCaller,
    page: PageRequest,
    filter: { operatorId?: string },
  ): Promise<ResponsePage<OperatorKey>>;
  revoke(caller: OperatorCaller, id: string): Promise<OperatorKey>;
}

/** Keys of one operator that are not revoked. */
const mostKeys = 20;

export function createOperatorKeys(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
}): OperatorKeys {
  const { store, now, newId } = deps;

  /** The command line on the database is no operator: what it makes is for the first owner. */
  async function operatorFor(caller: OperatorCaller, given: string | undefined): Promise<string> {
    if (given !== undefined) return given;
    if (caller.operator.id !== localOperatorId) return caller.operator.id;
    const owner = await store.operators.findFirstOwner();
    if (!owner) throw new AppError('conflict', 'there is no active owner: name the operator');
    return owner.id;
  }

  return {
    async create(caller, { operatorId, name = 'key', expiresAt, ipRanges = [] }) {
      checkRanges(ipRanges, '/ipRanges');
      const key = createKey(operatorKeyPrefix);
      const whose = await operatorFor(caller, operatorId);
      const stored = await store.operatorKeys.create(
        {
          id: newId(),
          operatorId: whose,
          name,
          keyHash: hashKey(key),
          lastFour: lastFourOf(key),
          createdAt: now(),
          expiresAt: expiresAt ? parseFutureTime(expiresAt, now(), '/expiresAt') : null,
          ipRanges,
        },
        mostKeys,
      );
      if (stored === 'no_operator') throw notFound('operator', whose);
      if (stored === 'too_many') {
        throw new AppError('conflict', `the operator has ${mostKeys} keys: revoke one first`);
      }
      return { ...keyResponse(caller.keyId, stored), key };
    },

    list: async (caller, page, filter) =>
      responsePage(await store.operatorKeys.list(page, filter), page, (key) =>
        keyResponse(caller.keyId, key),
      ),

    async revoke(caller, id) {
      const result = await store.operatorKeys.revoke(id, now());
      if (result === 'no_key') throw notFound('operator key', id);
      if (result === 'already_revoked') throw new AppError('conflict', 'the key is already revoked');
      if (result === 'last_owner') throw lastOwner();
      return keyResponse(caller.keyId, result);
    },
  };
}

/** `callerKeyId` is the key that asks; null when it was none. */
const keyResponse = (callerKeyId: string | null, key: StoredOperatorKey): OperatorKey => ({
  id: key.id,
  operatorId: key.operatorId,
  name: key.name,
  lastFour: key.lastFour,
  current: key.id === callerKeyId,
  createdAt: isoTime(key.createdAt),
  lastUsedAt: isoTimeOrNull(key.lastUsedAt),
  expiresAt: isoTimeOrNull(key.expiresAt),
  ipRanges: key.ipRanges,
  revokedAt: isoTimeOrNull(key.revokedAt),
});

export interface Operators {
  current(caller: OperatorCaller): CurrentOperator;
  create(caller: OperatorCaller, request: CreateOperator): Promise<Operator>;
  read(caller: OperatorCaller, id: string): Promise<Operator>;
  list(page: PageRequest, filter: OperatorFilter): Promise<ResponsePage<ListedOperator>>;
  /** An operator who is made DISABLED is refused from the next request on. */
  change(
    caller: OperatorCaller,
    id: string,
    request: ChangeOperator,
    /** The values that fields must have now. */
    expected?: ChangeOperator,
  ): Promise<Operator>;
}

export function createOperators(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  fourEyes: readonly FourEyes[];
}): Operators {
  const { store, now, newId, fourEyes } = deps;

  const withKeys = async (caller: OperatorCaller, operator: StoredOperator): Promise<Operator> => ({
    ...account(operator),
    keys: (await store.operatorKeys.listLiving(operator.id)).map((key) => keyResponse(caller.keyId, key)),
  });

  return {
    current: ({ keyId, operator: { id, name, roles, groups } }) => ({
      id,
      name,
      roles,
      groups,
      keyId,
      permissions: permissionsOf(roles),
      fourEyes: [...fourEyes],
    }),

    async create(caller, { name, email = null, roles, groups = [], entityId = null }) {
      const operator = {
        id: newId(),
        name,
        email,
        roles,
        groups,
        entityId: lower(entityId),
        createdAt: now(),
      };
      const created = await store.operators.create(operator);
      if (created === 'email_taken') throw emailTaken();
      return withKeys(caller, created);
    },

    read: async (caller, id) => withKeys(caller, found(await store.operators.find(id), 'operator', id)),

    list: async (page, filter) =>
      responsePage(await store.operators.list(page, filter), page, ({ keyCount, ...operator }) => ({
        ...account(operator),
        keyCount,
      })),

    async change(caller, id, { entityId, ...request }, expected) {
      const change = { ...request, ...(entityId !== undefined && { entityId: lower(entityId) }) };
      const changed = asExpected(await store.operators.change(id, change, now(), expected));
      if (changed === 'no_operator') throw notFound('operator', id);
      if (changed === 'email_taken') throw emailTaken();
      if (changed === 'last_owner') throw lastOwner();
      return withKeys(caller, changed);
    },
  };
}

const lower = (id: string | null): string | null => id?.toLowerCase() ?? null;

const account = ({ createdAt, updatedAt, ...operator }: StoredOperator) => ({
  ...operator,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

const emailTaken = (): AppError =>
  new AppError('conflict', 'another operator has this e-mail address', { path: '/email' });
