import { AppError } from '../../errors.ts';
import { parseForWriting, parseJson } from '../../json/parse.ts';
import { canonicalJson } from '../../json/stringify.ts';
import type { JsonObject } from '../../schemas/values.ts';
import {
  localOperatorId,
  type OperatorCaller,
  operatorsOfPerson,
  personOf,
} from '../../services/access/authentication.ts';
import {
  assertMay,
  type FourEyes,
  mayDo,
  ownProposal,
  type Permission,
} from '../../services/access/permissions.ts';
import { type ResponsePage, responsePage } from '../../services/list-entries.ts';
import { found } from '../../services/refusals.ts';
import { isoTime, isoTimeOrNull } from '../../services/times.ts';
import type { ListedProposal, PageRequest, Store, StoredProposal } from '../../store/store.ts';
import { assertTakes, type ProposedOperations } from './operations.ts';
import type { Proposal, ProposalSummary, ProposeChange } from './schema.ts';
import type { ProposalStatus } from './words.ts';

/** Changes of policies, lists and settings that one operator proposes and another one activates. */
export interface Proposals {
  propose(caller: OperatorCaller, request: ProposeChange): Promise<Proposal>;
  read(id: string): Promise<Proposal>;
  list(page: PageRequest, filter: { status?: ProposalStatus }): Promise<ResponsePage<ProposalSummary>>;
  /** Makes the change. Refuses one whose subject was changed since it was proposed. */
  activate(caller: OperatorCaller, id: string): Promise<Proposal>;
  reject(caller: OperatorCaller, id: string): Promise<Proposal>;
}

/** Proposals that may be PENDING at once. */
const mostPending = 1_000;
/** Bytes of JSON. A tool catalogue cannot be proposed in parts. */
const mostBytes = 131_072;
const mostBytesOfTools = 1_048_576;

export function createProposals(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  fourEyes: readonly FourEyes[];
  operations: ProposedOperations;
}): Proposals {
  const { store, now, newId, fourEyes, operations } = deps;

  async function pending(id: string): Promise<StoredProposal> {
    const proposal = found(await store.proposals.find(id), 'proposal', id);
    if (proposal.status !== 'PENDING') throw decidedAlready(proposal);
    return proposal;
  }

  async function decide({ operator }: OperatorCaller, id: string, status: 'ACTIVATED' | 'REJECTED') {
    const decided = await store.proposals.decide(id, status, { at: now(), operator: operator.id });
    return shown(decided ?? (await pending(id)));
  }

  async function assertIsAnother({ operator }: OperatorCaller, author: string): Promise<void> {
    if ((await operatorsOfPerson(store, operator)).includes(author)) throw ownProposal();
  }

  /** Refuses a proposal whose author was disabled since, or lost the permission. */
  async function assertAuthorMay(author: string, permission: Permission): Promise<void> {
    if (author === localOperatorId) return;
    const operator = await store.operators.find(author);
    if (operator?.status === 'ACTIVE' && mayDo(operator.roles, permission)) return;
    throw new AppError('conflict', `its author may not do this any more (${permission}): propose it again`);
  }

  return {
    async propose({ operator }, { operation, note, ...change }) {
      const proposed = operations[operation];
      assertMay(operator.roles, proposed.permission);
      assertTakes(operation, proposed, change);
      const text = canonicalJson(change);
      const most = change.tools || change.listedTools ? mostBytesOfTools : mostBytes;
      if (Buffer.byteLength(text) > most) {
        throw new AppError('invalid', `must be at most ${most} bytes of JSON: propose it in parts`);
      }
      const before = await proposed.check(change);
      const proposal = {
        id: newId(),
        operation,
        change: text,
        before: before === null ? null : canonicalJson(before),
        note: note ?? null,
        author: operator.id,
        createdAt: now(),
      };
      const created = await store.proposals.create(proposal, mostPending);
      if (created) return shown(created);
      throw new AppError('conflict', '1,000 proposals are PENDING, which is the maximum: reject some');
    },

    read: async (id) => shown(found(await store.proposals.find(id), 'proposal', id)),

    list: async (page, filter) => responsePage(await store.proposals.list(page, filter), page, summary),

    async activate(caller, id) {
      const proposal = await pending(id);
      const { control, permission, check, apply, resourceOf } = operations[proposal.operation];
      if (fourEyes.some((one) => control.includes(one))) await assertIsAnother(caller, proposal.author);
      await assertAuthorMay(proposal.author, permission);
      const change = parseJson(proposal.change) as JsonObject;
      const before = await check(change);
      if ((before === null ? null : canonicalJson(before)) !== proposal.before) throw changedSince();
      try {
        // If the process ends between the two, the proposal stays PENDING and cannot be activated, because its subject has changed.
        await store.audit.within({ action: proposal.operation, ...resourceOf(change) }, () =>
          apply(caller, change, { note: proposal.note, before }),
        );
      } catch (error) {
        throw error instanceof AppError && error.code === 'precondition_failed' ? changedSince() : error;
      }
      return decide(caller, id, 'ACTIVATED');
    },

    async reject(caller, id) {
      await pending(id);
      return decide(caller, id, 'REJECTED');
    },
  };
}

const changedSince = (): AppError =>
  new AppError('conflict', 'what it would change was changed since: reject it and propose it again');

const decidedAlready = ({ status, decidedBy, deciderName }: StoredProposal): AppError => {
  const by = decidedBy === null ? '' : ` by ${personOf(decidedBy, deciderName).name}`;
  return new AppError('conflict', `the proposal was ${status}${by} already`);
};

function summary({ authorName, deciderName, ...proposal }: ListedProposal): ProposalSummary {
  const { author, decidedBy, createdAt, decidedAt } = proposal;
  return {
    ...proposal,
    author: personOf(author, authorName),
    decidedBy: decidedBy === null ? null : personOf(decidedBy, deciderName),
    createdAt: isoTime(createdAt),
    decidedAt: isoTimeOrNull(decidedAt),
  };
}

const shown = ({ change, before, ...proposal }: StoredProposal): Proposal => ({
  ...summary(proposal),
  change: parseForWriting(change) as JsonObject,
  before: before === null ? null : (parseForWriting(before) as JsonObject),
});
