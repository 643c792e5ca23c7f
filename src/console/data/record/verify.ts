import { canonicalJson } from '../../../json/canonical.ts';
import { type ChainCheck, checkChains } from './chains.ts';
import { checkDeciding, type DecidingCheck } from './deciding.ts';
import type { Line, Problem, Report } from './problems.ts';
import { checkRoots, type RootCheck } from './roots.ts';

export interface Verification {
  problems: readonly Problem[];
  entries: number;
  chains: number;
  roots: number;
  withoutContent: number;
  coveredUntil: string | null;
  keyIds: readonly string[];
}

export interface Verifier {
  line(text: string): Promise<void>;
  end(): Verification;
}

/**
 * Checks an export of the record line by line, by nothing but what the export itself holds. Written apart from the service's own
 * verifier, as docs/record.md describes the format.
 */
export function createVerifier(): Verifier {
  const problems: Problem[] = [];
  const report: Report = (fault, about, line) => void problems.push({ fault, about, line });
  const chains: ChainCheck = checkChains(report);
  const deciding: DecidingCheck = checkDeciding(report);
  const roots: RootCheck = checkRoots(report);
  let number = 0;
  let isEnded = false;

  function read(text: string): Line | null {
    try {
      const line = JSON.parse(text) as Line;
      // Another spelling of the same values was not written by the service.
      if (typeof line === 'object' && line !== null && canonicalJson(line) === text) return line;
    } catch {}
    report('unreadable', '', number);
    return null;
  }

  async function check(line: Line): Promise<void> {
    switch (line.kind) {
      case 'export':
        deciding.header(line);
        return roots.header(line);
      case 'key':
        return roots.key(line, number);
      case 'leaf':
        chains.expect(line);
        return roots.leaf(line, number);
      case 'root':
        return roots.root(line, number);
      case 'chain':
        if ('head' in line) await roots.start(line, number);
        return chains.start(line);
      case 'entry':
        await chains.entry(line, number);
        return deciding.entry(line, number);
      case 'terms':
        return deciding.terms(line);
      case 'state':
        return deciding.state(line, number);
      case 'version':
        return deciding.version(line, number);
      case 'end':
        isEnded = true;
        return;
      default:
        report('unreadable', String(line.kind), number);
    }
  }

  return {
    async line(text) {
      number++;
      const line = read(text);
      if (!line) return;
      if (line.line !== number || isEnded) report('place', '', number);
      try {
        await check(line);
      } catch {
        // It lacks what its kind must have.
        report('unreadable', '', number);
      }
    },

    end() {
      if (!isEnded) report('end', '', null);
      deciding.end();
      return { ...roots.end(), ...chains.end(), problems };
    },
  };
}
