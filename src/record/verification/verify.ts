import { canonicalJson } from '../../json/canonical.ts';
import type { ExportLine } from '../export-lines.ts';
import { createChainCheck } from './chain-check.ts';
import { createDecidingCheck } from './deciding-check.ts';
import { isLine } from './line-shapes.ts';
import type { Problem, Report, Verification } from './problems.ts';
import { createTreeCheck } from './tree-check.ts';

export interface VerifyOptions {
  /** Ids of the keys that the auditor trusts; without any, those in the export are believed. */
  trustedKeys?: readonly string[];
  /** Hashes of roots that the auditor knows of: the export must have them. */
  expectedRoots?: readonly string[];
}

export interface Verifier {
  /** The next line of the export, without its line feed. */
  line(text: string): void;
  end(): Verification;
}

/** Checks an export of the record line by line. It needs nothing but the export, and keeps one head for each chain in memory. */
export function createVerifier({ trustedKeys, expectedRoots = [] }: VerifyOptions = {}): Verifier {
  const problems: Problem[] = [];
  const report: Report = ({ code, message, line = null, chain = null, seq = null, id = null }) =>
    void problems.push({ code, line, chain, seq, id, message });
  const chains = createChainCheck(report);
  const deciding = createDecidingCheck(report);
  const trusted = trustedKeys?.length ? new Set(trustedKeys) : null;
  const tree = createTreeCheck(report, trusted, expectedRoots);
  let number = 0;
  let lastNumber = 0;
  let entries = 0;
  let isEnded = false;

  /** Null for what is not a line as it was written. */
  function read(text: string): ExportLine | null {
    let line: Record<string, unknown>;
    try {
      line = JSON.parse(text);
    } catch {
      report({ code: 'changed', line: number, message: 'the line cannot be read' });
      return null;
    }
    if (!isLine(line)) {
      report({ code: 'changed', line: number, message: 'the line is none that an export has' });
      return null;
    }
    // Another spelling of the same values was not written by the service.
    if (canonicalJson(line) !== text) {
      report({
        code: 'changed',
        line: number,
        ...placeOf(line),
        message: 'the line is not in its canonical form',
      });
    }
    if (line.line !== lastNumber + 1) {
      const message = `the line has the number ${line.line}, and comes after ${lastNumber}`;
      report({ code: 'reordered', line: number, ...placeOf(line), message });
    }
    lastNumber = line.line;
    return line;
  }

  function check(line: ExportLine): void {
    if (number === 1 && line.kind !== 'export') {
      report({ code: 'truncated', line: number, message: 'the header is missing' });
    }
    switch (line.kind) {
      case 'export':
        if (number > 1) report({ code: 'repeated', line: number, message: 'the header comes again' });
        else {
          tree.header(line);
          deciding.header(line);
        }
        break;
      case 'key':
        tree.key(line, number);
        break;
      case 'leaf':
        tree.leaf(line, number);
        chains.expect(line);
        break;
      case 'root':
        tree.root(line, number);
        break;
      case 'chain':
        if ('head' in line) tree.start(line, number);
        chains.chain(line, number);
        break;
      case 'entry':
        entries++;
        if (chains.entry(line, number)) deciding.entry(line, number);
        break;
      case 'terms':
        deciding.terms(line);
        break;
      case 'state':
        deciding.state(line, number);
        break;
      case 'version':
        deciding.version(line, number);
        break;
      case 'end':
        isEnded = true;
        break;
      default:
        line satisfies never;
    }
  }

  return {
    line(text) {
      number++;
      if (isEnded) report({ code: 'repeated', line: number, message: 'the line comes after the end' });
      const line = read(text);
      if (line) check(line);
      else lastNumber++;
    },

    end() {
      if (!isEnded) report({ code: 'truncated', message: 'the end of the export is missing' });
      const { roots, coveredUntil, keyIds } = tree.end();
      return {
        ...chains.end(),
        ...deciding.end(),
        problems,
        entries,
        roots,
        coveredUntil,
        keyIds,
        isKeyTrusted: trusted !== null,
      };
    },
  };
}

/** The chain and number that the line is about, as far as it says so. */
function placeOf(line: ExportLine): { chain?: string; seq?: number } {
  const named = line.kind === 'entry' ? line.entry : line;
  const { chain, seq } = named as { chain?: unknown; seq?: unknown };
  return {
    ...(typeof chain === 'string' && { chain }),
    ...(typeof seq === 'number' && { seq }),
  };
}
