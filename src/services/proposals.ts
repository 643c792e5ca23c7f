import { AppError } from '../errors.ts';
import { canonicalJson } from '../json/canonical.ts';
import { parseForWriting } from '../json/parse.ts';
import type { ProposalStatus } from '../schemas/proposal-words.ts';
import type { Proposal, ProposalSummary, ProposeChange } from '../schemas/proposals.ts';
import type { JsonObject } from '../schemas/values.ts';
import type { ListedProposal, PageRequest, Store, StoredProposal } from '../store/store.ts';
import type { OperatorCaller } from './authentication.ts';
import { found } from './found.ts';
import { ownProposal } from './four-eyes.ts';
import { type ResponsePage, responsePage } from './pages.ts';
import { personOf } from './people.ts';
import type { ProposedOperations } from './proposed-operations.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** Changes of what decides that one operator proposes and another one activates. */
export interface Proposals {
  propose(caller: OperatorCaller, request: ProposeChange): Promise<Proposal>;
  read(id: string): Promise<Proposal>;
  list(page: PageRequest, filter: { status?: ProposalStatus }): Promise<ResponsePage<ProposalSummary>>;
  /** Makes the change. Refuses one whose subject was changed since it was proposed. */
  activate(caller: OperatorCaller, id: string): Promise<Proposal>;
  reject(caller: OperatorCaller, id: string): Promise<Proposal>;
}

/** PENDING ones. */
const mostPending = 1_000;
/** Bytes of JSON. */
const mostBytes = 131_072;

export function createProposals(deps: {
  store: Store;
  now: () => number;
  newId: () => string;
  /** Whether the author of a proposal may not activate it. */
  fourEyes: boolean;
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

  return {
    async propose({ operator }, { operation, note, ...change }) {
      const before = await operations[operation].check(change);
      const text = canonicalJson(change);
      if (Buffer.byteLength(text) > mostBytes) {
        throw new AppError('invalid', `must be at most ${mostBytes} bytes of JSON: propose it in parts`);
      }
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
      if (fourEyes && proposal.author === caller.operator.id) throw ownProposal();
      const { check, apply, resourceOf } = operations[proposal.operation];
      const change = parseForWriting(proposal.change) as JsonObject;
      const before = await check(change);
      if ((before === null ? null : canonicalJson(before)) !== proposal.before) {
        throw new AppError(
          'conflict',
          'what it would change was changed since: reject it and propose it again',
        );
      }
      // Should the process end between the two, the proposal stays PENDING and cannot be activated: what it would change is changed.
      await store.audit.within({ action: proposal.operation, ...resourceOf(change) }, () =>
        apply(caller, change, { note: proposal.note, before }),
      );
      return decide(caller, id, 'ACTIVATED');
    },

    async reject(caller, id) {
      await pending(id);
      return decide(caller, id, 'REJECTED');
    },
  };
}

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
