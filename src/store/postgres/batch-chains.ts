import { hashOfOrigin, integrationChain, sessionChain, sessionOrigin } from '../../record/chains.ts';
import type { ChainHead, EntryLink } from '../../record/entries.ts';
import type { BatchLocks } from './batch-locks.ts';
import { lockNames } from './locks.ts';
import { Rows } from './rows.ts';
import type { SessionState } from './session-state.ts';
import { inserting, WrittenRows } from './written-rows.ts';

/** The chains that the evaluations of a batch are added to. */
export class BatchChains {
  readonly heads = new Rows<ChainHead>({
    name: 'chain heads',
    parts: 1,
    text: 'SELECT chain AS k0, seq, hash FROM record_heads WHERE chain = ANY($1::text[])',
  });
  readonly #locks: BatchLocks;
  readonly #heads = new Map<string, ChainHead>();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  /** Of what has no session. */
  want(integrationId: string): void {
    const chain = integrationChain(integrationId);
    this.#locks.name(lockNames.chain(chain));
    this.heads.want(chain);
  }

  /** What the next entry of the chain links to: of the session, or of the integration for what has none. */
  next(integrationId: string, session: SessionState | null): EntryLink {
    if (!session) {
      const chain = integrationChain(integrationId);
      this.#locks.name(lockNames.chain(chain));
      const head = this.#heads.get(chain) ??
        this.heads.one(chain) ?? { seq: 0, hash: hashOfOrigin({ chain }) };
      return { chain, seq: head.seq + 1, previous: head.hash };
    }
    session.chainHash ??= hashOfOrigin(sessionOrigin(session.row));
    return { chain: sessionChain(session.id), seq: session.chainSeq + 1, previous: session.chainHash };
  }

  /** The chain ends with this entry now. */
  add({ chain, seq }: EntryLink, hash: string, session: SessionState | null): void {
    if (session) Object.assign(session, { chainSeq: seq, chainHash: hash });
    else this.#heads.set(chain, { seq, hash });
  }

  get statement() {
    const rows = new WrittenRows(
      'write chain heads',
      { chain: 'text', seq: 'bigint', hash: 'text' },
      inserting('record_heads', 'ON CONFLICT (chain) DO UPDATE SET seq = excluded.seq, hash = excluded.hash'),
    );
    for (const [chain, head] of this.#heads) rows.add({ chain, ...head });
    return rows.statement;
  }
}
