import { setTimeout as pause } from 'node:timers/promises';
import { addLeaf, emptyFrontier, type Frontier, rootOf } from '../../record/merkle.ts';
import {
  hashOfLeaf,
  hashOfRoot,
  type LeafData,
  noRoot,
  type RootStatement,
  signRoot,
} from '../../record/roots.ts';
import { hourMs, minuteMs } from '../../schemas/durations.ts';
import type { RecordRoot } from '../../schemas/record.ts';
import type { NewEvent, RecordCut, Store, StoredNode, StoredRoot } from '../../store/store.ts';
import { createSweeper, type Sweeper } from '../sweeper.ts';
import { isoTime } from '../times.ts';
import type { InstallationKey } from './installation-key.ts';

/** A root as everybody may know it: enough to compare it with an export, and to verify its signature. */
export const shownRoot = ({
  statement,
  signature,
}: Pick<StoredRoot, 'statement' | 'signature'>): RecordRoot => {
  const { kind: _, ...signed } = statement;
  return { ...signed, signature, hash: hashOfRoot(statement) };
};

/** Signs the heads of all chains that have grown, every minute. */
export type SignedRoots = Sweeper;

const everyMs = minuteMs;
/** A root is signed this often if there are no new entries, to show that there were none. */
const idleMs = hourMs;
/** Requests have most of the time between two steps. */
const betweenStepsMs = 20;
/** The levels of subtrees that are kept: 256 and 65,536 leaves. */
export const keptLevels: readonly number[] = [8, 16];
const nothing: RecordCut = { evaluation: 0, entry: 0, call: 0 };

export function createSignedRoots(deps: {
  store: Store;
  now: () => number;
  key: () => InstallationKey;
  newId: () => string;
  onError: (error: unknown) => void;
}): SignedRoots {
  const { store, now, newId, key, onError } = deps;
  let isKeyKept = false;
  /** Positions without an entry need not be looked through again. */
  let looked: RecordCut = nothing;

  async function keepKey(): Promise<void> {
    if (isKeyKept) return;
    const { keyId, publicKey } = key();
    await store.record.addKey({ keyId, publicKey, addedAt: now() });
    isKeyKept = true;
  }

  /** False when another process has signed one meanwhile. */
  async function sign(
    last: StoredRoot | null,
    leaves: readonly LeafData[],
    cut: RecordCut,
  ): Promise<boolean> {
    const { root, nodes } = nextRoot(last, leaves, { at: now(), key: key(), cut });
    return store.record.addRoot(root, leaves, nodes, rootSigned(shownRoot(root), newId));
  }

  async function run(): Promise<void> {
    await keepKey();
    let last = await store.record.findLastRoot();
    for (;;) {
      const from = laterOf(last?.cut ?? nothing, looked);
      const grown = await store.record.findUncovered(from);
      if (!grown) break;
      if (grown.heads.length > 0) {
        const leaves = grown.heads.toSorted((one, other) => (one.chain < other.chain ? -1 : 1));
        await sign(last, leaves, grown.cut);
        last = await store.record.findLastRoot();
      } else looked = grown.cut;
      if (grown.isLast) break;
      await pause(betweenStepsMs);
    }
    if (!last || now() - Date.parse(last.statement.at) >= idleMs) await sign(last, [], last?.cut ?? looked);
  }

  return createSweeper({ run, everyMs, onError });
}

const laterOf = (one: RecordCut, other: RecordCut): RecordCut =>
  one.evaluation >= other.evaluation && one.entry >= other.entry && one.call >= other.call ? one : other;

/** The root that follows the last one, and the complete subtrees that its leaves finish. Pure. */
function nextRoot(
  last: StoredRoot | null,
  leaves: readonly LeafData[],
  { at, key, cut }: { at: number; key: InstallationKey; cut: RecordCut },
): { root: StoredRoot; nodes: StoredNode[] } {
  const frontier: Frontier = last
    ? { size: last.statement.treeSize, hashes: [...last.frontier] }
    : emptyFrontier();
  const nodes: StoredNode[] = [];
  for (const leaf of leaves) {
    addLeaf(frontier, hashOfLeaf(leaf), (level, place, hash) => {
      if (keptLevels.includes(level)) nodes.push({ level, place, hash });
    });
  }
  const statement: RootStatement = {
    kind: 'root',
    seq: (last?.statement.seq ?? 0) + 1,
    at: isoTime(at),
    previous: last ? hashOfRoot(last.statement) : noRoot,
    treeSize: frontier.size,
    rootHash: rootOf(frontier),
    keyId: key.keyId,
  };
  return {
    root: { statement, signature: signRoot(statement, key.key), frontier: frontier.hashes, cut },
    nodes,
  };
}

/** Whoever receives it can compare it with every later export, whatever the operator of the database does. */
const rootSigned = (root: RecordRoot, newId: () => string): NewEvent => ({
  id: newId(),
  type: 'record.root',
  at: Date.parse(root.at),
  integrationId: null,
  subject: 'record/roots',
  data: JSON.stringify(root),
});
