import { signal } from '@preact/signals';
import type { ProposeChange } from '../../../features/proposals/schema.ts';
import { words } from '../../strings/index.ts';
import { call } from '../api.ts';
import { announce } from '../change.ts';
import { operator } from '../operator/sign-in.ts';

/** Whether changes of what decides take two operators: they are proposed by one, and made by another. */
export const mustPropose = (): boolean => operator.value?.fourEyes.includes('policies') ?? false;

/** A label of a button, which under four-eyes control opens the form of a proposal. */
export const proposing = (label: string): string =>
  mustPropose() ? words.value.proposals.propose(label) : label;

export interface Proposing {
  title: string;
  change: ProposeChange;
  onEnd: (isProposed: boolean) => void;
}

/** The proposal that is being written. */
export const proposal = signal<Proposing | null>(null);

/** Asks for the reason, and proposes the change. Resolves with whether it was. */
export function propose(title: string, change: ProposeChange): Promise<boolean> {
  return new Promise((resolve) => {
    proposal.value = {
      title,
      change,
      onEnd(isProposed) {
        proposal.value = null;
        resolve(isProposed);
      },
    };
  });
}

export async function sendProposal(change: ProposeChange, note: string): Promise<void> {
  const json = { ...change, ...(note.trim() !== '' && { note: note.trim() }) };
  await call('/v1/proposals', { method: 'POST', json });
  announce(words.value.proposals.proposed);
}
