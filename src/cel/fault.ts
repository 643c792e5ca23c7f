import type { IssueCode, Span, UnplacedIssue } from './issue.ts';

/** Ends lexing and parsing at the first mistake; caught by parse(), so it never reaches a caller of this library. */
export class SourceFault extends Error {
  readonly issue: UnplacedIssue;
  constructor(code: IssueCode, message: string, at: Span, hint?: string) {
    super(message);
    this.issue = { code, message, at, hint };
  }
}
