import type { Finding, IssueCode, Span } from './issue.ts';

/** Ends lexing and parsing at the first mistake; caught by parse(), so it never reaches a caller of this library. */
export class SourceFault extends Error {
  readonly finding: Finding;
  constructor(code: IssueCode, message: string, at: Span, hint?: string) {
    super(message);
    this.finding = { code, message, at, hint };
  }
}
