import { addLink, nextLink } from '../../evaluate/postgres/record-chains.ts';
import type { ReviewOwner } from '../../features/reviews/store.ts';
import { entryHash } from '../../record/entries.ts';
import { type RecordedDecision, reviewEntry } from '../../record/review-entry.ts';
import type { Db } from './database.ts';
import { recordEntries } from './tables.ts';

/** Adds what a person decided about a held action to the chain that the action is in. The review must be locked. */
export async function addDecision(tx: Db, owner: ReviewOwner, decision: RecordedDecision): Promise<void> {
  const link = await nextLink(tx, owner);
  const hash = entryHash(reviewEntry(link, decision));
  await tx.insert(recordEntries).values({
    ...owner,
    kind: 'review',
    members: JSON.stringify(decision),
    chainSeq: link.seq,
    entryHash: hash,
  });
  await addLink(tx, owner, link, hash);
}
