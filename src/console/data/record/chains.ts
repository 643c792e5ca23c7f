import { canonicalJson } from '../../../json/canonical.ts';
import { sha256 } from './hashes.ts';
import type { Line, Report } from './problems.ts';

interface Chain {
  seq: number;
  /** Of the last entry; null when it is not to be relied on. */
  hash: string | null;
  /** Heads that signed roots cover, by place. */
  covered: Map<number, string>;
}

export interface ChainCheck {
  /** A head that a signed root covers. */
  expect(line: Line): void;
  /** Where a chain begins. */
  start(line: Line): Promise<void>;
  entry(line: Line, number: number): Promise<void>;
  end(): { entries: number; chains: number; withoutContent: number };
}

/** Follows each chain from where it begins to the last head that a signed root covers. */
export function checkChains(report: Report): ChainCheck {
  const chains = new Map<string, Chain>();
  let entries = 0;
  let withoutContent = 0;

  function chainOf(name: string): Chain {
    const chain = chains.get(name) ?? { seq: 0, hash: null, covered: new Map() };
    chains.set(name, chain);
    return chain;
  }

  async function checkContent(
    { content }: Line,
    entry: Record<string, unknown>,
    about: string,
    number: number,
  ) {
    const names = ['input', 'messages', 'targetMetadata'].filter((name) => typeof entry[name] === 'string');
    if (typeof content !== 'object' || content === null) {
      if (names.length > 0) withoutContent++;
      return;
    }
    const { salt, ...texts } = content as Record<string, string>;
    for (const name of new Set([...names, ...Object.keys(texts)])) {
      if (entry[name] !== (await sha256(`${salt}:${name}:${texts[name]}`))) report('content', about, number);
    }
  }

  return {
    expect({ chain, seq, hash }) {
      chainOf(String(chain)).covered.set(Number(seq), String(hash));
    },

    async start({ origin, chain: name, head }) {
      if (origin) {
        const chain = chainOf(String((origin as { chain: unknown }).chain));
        chain.hash ??= await sha256(canonicalJson(origin));
        return;
      }
      const { seq, hash } = head as { seq: number; hash: string };
      Object.assign(chainOf(String(name)), { seq, hash });
    },

    async entry(line, number) {
      entries++;
      const entry = line.entry as Record<string, unknown>;
      const chain = chainOf(String(entry.chain));
      const seq = Number(entry.seq);
      const about = `${entry.chain} ${seq}`;
      const hash = await sha256(canonicalJson(entry));
      if (hash !== line.hash) report('changed', about, number);
      if (seq !== chain.seq + 1) report('missing', about, number);
      else if (chain.hash !== entry.previous) report('follows', about, number);
      const covered = chain.covered.get(seq);
      if (covered !== undefined && covered !== hash) report('covered', about, number);
      await checkContent(line, entry, about, number);
      chain.seq = seq;
      chain.hash = hash;
    },

    end() {
      for (const [name, { seq, covered }] of chains) {
        const last = Math.max(0, ...covered.keys());
        if (seq !== last) report(seq < last ? 'truncated' : 'covered', `${name} ${seq}`, null);
      }
      return { entries, chains: chains.size, withoutContent };
    },
  };
}
