import type { ProposalStatus, ProposedOperation } from '../schemas/proposal-words.ts';
import type { Page, PageRequest } from './pages.ts';

export interface NewProposal {
  id: string;
  operation: ProposedOperation;
  /** JSON text of what the operation takes. */
  change: string;
  /** JSON text of what it would change, as it was then; null when it was not there. */
  before: string | null;
  note: string | null;
  /** The id of the operator. */
  author: string;
  createdAt: number;
}

export interface StoredProposal extends NewProposal {
  status: ProposalStatus;
  /** Null for an id that no operator has. */
  authorName: string | null;
  decidedBy: string | null;
  deciderName: string | null;
  decidedAt: number | null;
}

export type ListedProposal = Omit<StoredProposal, 'change' | 'before'>;

/** Changes that wait for a second operator. They are never deleted. */
export interface ProposalStore {
  /** Null when there are `most` PENDING ones already. */
  create(proposal: NewProposal, most: number): Promise<StoredProposal | null>;
  find(id: string): Promise<StoredProposal | null>;
  /** Newest first. */
  list(page: PageRequest, filter: { status?: ProposalStatus }): Promise<Page<ListedProposal>>;
  /** Null when there is none, or it is not PENDING any more. */
  decide(
    id: string,
    status: 'ACTIVATED' | 'REJECTED',
    by: { at: number; operator: string },
  ): Promise<StoredProposal | null>;
}
