/**
 * One thing wrong with a source text. `code` is stable and made for programs, `message` says what was found and what
 * was expected, `hint` what to write instead. `line` and `column` count from 1; `offset` and `length` are UTF-16 units.
 */
export interface CelIssue {
  code: IssueCode;
  message: string;
  hint?: string;
  line: number;
  column: number;
  offset: number;
  length: number;
}

export type IssueCode =
  | 'syntax'
  | 'invalid_literal'
  | 'invalid_macro'
  | 'unsupported'
  | 'source_too_long'
  | 'too_many_nodes'
  | 'too_deep'
  | 'unknown_variable'
  | 'unknown_field'
  | 'unknown_function'
  | 'type_mismatch'
  | 'never_true'
  | 'result_type'
  | 'regex_not_literal'
  | 'regex_invalid'
  | 'regex_too_large'
  | 'too_costly';

/** A range of the source: offsets in UTF-16 units, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An issue before its line and column are known. */
export interface UnplacedIssue {
  code: IssueCode;
  message: string;
  hint?: string | undefined;
  at: Span;
}

export function locate(source: string, issue: UnplacedIssue): CelIssue {
  const { code, message, hint, at } = issue;
  const before = source.slice(0, at.start);
  const line = before.split('\n').length;
  const column = at.start - before.lastIndexOf('\n');
  const place = { line, column, offset: at.start, length: Math.max(at.end - at.start, 0) };
  return hint === undefined ? { code, message, ...place } : { code, message, hint, ...place };
}

/** Ends lexing and parsing at the first mistake; caught by parse(), so it never reaches a caller of this library. */
export class SourceFault extends Error {
  readonly issue: UnplacedIssue;
  constructor(code: IssueCode, message: string, at: Span, hint?: string) {
    super(message);
    this.issue = { code, message, at, hint };
  }
}
