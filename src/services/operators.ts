import { AppError } from '../errors.ts';
import type {
  ChangeOperator,
  CreateOperator,
  CurrentOperator,
  ListedOperator,
  Operator,
} from '../schemas/operators.ts';
import type { OperatorFilter, PageRequest, Store, StoredOperator } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { asExpected } from './expected-versions.ts';
import { found, notFound } from './found.ts';
import { lastOwner } from './last-owner.ts';
import { keyResponse } from './operator-keys.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { permissionsOf } from './permissions.ts';
import { isoTime } from './times.ts';

export interface Operators {
  current(caller: OperatorCaller): CurrentOperator;
  create(caller: OperatorCaller, request: CreateOperator): Promise<Operator>;
  read(caller: OperatorCaller, id: string): Promise<Operator>;
  list(page: PageRequest, filter: OperatorFilter): Promise<ResponsePage<ListedOperator>>;
  /** Who is made DISABLED is refused from the next request on. */
  change(
    caller: OperatorCaller,
    id: string,
    request: ChangeOperator,
    /** What fields must be now. */
    expected?: ChangeOperator,
  ): Promise<Operator>;
}

export function createOperators(deps: { store: Store; now: () => number; newId: () => string }): Operators {
  const { store, now, newId } = deps;

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
