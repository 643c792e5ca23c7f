import type { CheckedExpression } from '../cel/index.ts';
import type { TextIssue } from './policy-issue.ts';

/**
 * Each compiled pattern may cache 256 KiB (cel/regex.ts), so 200 patterns let one document use 50 MiB of memory.
 */
const mostPatterns = 200;

/** The different regular expressions in the variables and conditions of one document. */
export class PatternCount {
  readonly #seen: Set<string>;
  constructor(expressions: Iterable<CheckedExpression>) {
    this.#seen = new Set([...expressions].flatMap(({ patterns }) => patterns));
  }

  /** Returns an issue for the condition with which there are too many, and only for that one. */
  add({ patterns }: CheckedExpression): TextIssue | null {
    const before = this.#seen.size;
    for (const pattern of patterns) this.#seen.add(pattern);
    if (before > mostPatterns || this.#seen.size <= mostPatterns) return null;
    return {
      code: 'too_many_patterns',
      message: `more than ${mostPatterns} different regular expressions in one document`,
      hint: 'join some of them with "|", or use "in" with a list',
      line: 1,
      column: 1,
      offset: 0,
    };
  }
}
