import { canonicalJson } from '../../json/stringify.ts';
import { contentDigest, entryHash, hashOfOrigin } from '../entries.ts';
import type { ChainLine, EntryLine } from '../export-lines.ts';
import type { LeafData } from '../roots.ts';
import type { Report } from './problems.ts';

interface Chain {
  /** The highest place seen. */
  seq: number;
  /** The hash of the entry there; null when it is not to be relied on. */
  hash: string | null;
  /** Places that were skipped. */
  gaps: Set<number>;
  leaves: LeafData[];
  /** How many of them were passed. */
  passed: number;
}

interface EntryPlace {
  line: number;
  chain: string;
  seq: number;
  id: string | null;
}

/** A gap is told entry by entry up to so many. */
const mostNamed = 1_000;

export interface ChainCheck {
  /** Expects a leaf of a root that the export has. In the order of the tree. */
  expect(leaf: LeafData): void;
  chain(line: ChainLine, number: number): void;
  /** Whether it has its hash. */
  entry(line: EntryLine, number: number): boolean;
  end(): { chains: number; withoutContent: number };
}

/** Follows each chain from its beginning to the head that a signed root covers. */
export function createChainCheck(report: Report): ChainCheck {
  const chains = new Map<string, Chain>();
  let withoutContent = 0;

  function chainNamed(name: string): Chain {
    let chain = chains.get(name);
    if (!chain) {
      chain = { seq: 0, hash: null, gaps: new Set(), leaves: [], passed: 0 };
      chains.set(name, chain);
    }
    return chain;
  }

  function checkContent(line: EntryLine, place: EntryPlace) {
    const { entry, content } = line;
    const digests = ['input', 'messages', 'targetMetadata'].filter((name) => typeof entry[name] === 'string');
    if (!content) {
      if (digests.length > 0) withoutContent++;
      return;
    }
    // All of it is deleted together.
    const { salt = '', ...texts } = content;
    for (const name of new Set([...digests, ...Object.keys(texts)])) {
      if (entry[name] !== contentDigest(salt, name, texts[name] ?? '')) {
        report({ code: 'changed', ...place, message: `its ${name} is not the one that was recorded` });
      }
    }
  }

  /** A place that is passed must have the hash that the signed root covers. */
  function checkLeaves(name: string, chain: Chain, seq: number, hash: string, line: number): void {
    for (let leaf = chain.leaves[chain.passed]; leaf && leaf.seq <= seq; leaf = chain.leaves[chain.passed]) {
      chain.passed++;
      if (leaf.seq === seq && leaf.hash !== hash) {
        const since = (chain.leaves[chain.passed - 2]?.seq ?? 0) + 1;
        report({
          code: 'replaced',
          line,
          chain: name,
          seq,
          message: `a signed root covers another entry here: this one, or one from entry ${since} on, was replaced`,
        });
      }
    }
  }

  function reportLate(chain: Chain, place: EntryPlace): void {
    const late = chain.gaps.delete(place.seq);
    report(
      late
        ? { code: 'reordered', ...place, message: `the entry comes after entry ${chain.seq}` }
        : { code: 'repeated', ...place, message: 'the chain has an entry in this place already' },
    );
  }

  /** Remembers the places that an entry skips: what belongs there may come later. */
  function checkGap(chain: Chain, place: EntryPlace): void {
    const { seq } = place;
    const expected = chain.seq + 1;
    if (seq === 1 && chain.hash === null) {
      report({
        code: 'missing',
        ...place,
        message: 'the origin of the chain is missing before its first entry',
      });
    }
    if (seq === expected) return;
    const last = Math.min(seq - 1, expected + mostNamed);
    for (let gap = expected; gap <= last; gap++) chain.gaps.add(gap);
    chain.hash = null;
  }

  function reportReplaced(place: EntryPlace): void {
    const { seq } = place;
    const before = seq === 1 ? 'the beginning of the chain' : `entry ${seq - 1}`;
    report({
      code: 'replaced',
      ...place,
      seq: Math.max(seq - 1, 1),
      message: `entry ${seq} does not follow ${before}: one of the two was replaced`,
    });
  }

  return {
    expect(leaf) {
      chainNamed(leaf.chain).leaves.push(leaf);
    },

    chain(line) {
      if ('origin' in line) chainNamed(line.origin.chain).hash ??= hashOfOrigin(line.origin);
      else {
        const chain = chainNamed(line.chain);
        chain.seq = line.head.seq;
        chain.hash = line.head.hash;
      }
    },

    entry(line, number) {
      const { chain: name, seq, previous } = line.entry;
      const id = typeof line.entry.id === 'string' ? line.entry.id : null;
      if (typeof name !== 'string' || typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1) {
        report({ code: 'changed', line: number, id, message: 'the entry names no chain and place' });
        return false;
      }
      const place = { line: number, chain: name, seq, id };
      const hash = entryHash(canonicalJson(line.entry));
      const isWhole = hash === line.hash;
      if (!isWhole) report({ code: 'changed', ...place, message: 'the entry does not have its hash' });
      checkContent(line, place);
      const chain = chainNamed(name);
      if (seq <= chain.seq) {
        reportLate(chain, place);
        return isWhole;
      }
      checkGap(chain, place);
      if (isWhole && chain.hash !== null && previous !== chain.hash) reportReplaced(place);
      if (isWhole) checkLeaves(name, chain, seq, hash, number);
      chain.seq = seq;
      chain.hash = isWhole ? hash : null;
      return isWhole;
    },

    end() {
      for (const [name, { seq, gaps, leaves }] of chains) {
        for (const gap of gaps) {
          report({ code: 'missing', chain: name, seq: gap, message: `entry ${gap} is missing` });
        }
        const covered = leaves.at(-1)?.seq ?? 0;
        for (let lost = seq + 1; lost <= Math.min(covered, seq + mostNamed); lost++) {
          report({
            code: 'truncated',
            chain: name,
            seq: lost,
            message: `the chain ends with entry ${seq}, and a signed root covers ${covered}`,
          });
        }
        for (let more = covered + 1; more <= Math.min(seq, covered + mostNamed); more++) {
          report({ code: 'uncovered', chain: name, seq: more, message: 'no signed root covers the entry' });
        }
      }
      return { chains: chains.size, withoutContent };
    },
  };
}
