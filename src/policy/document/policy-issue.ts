/** A place in a document: `['rules', 3, 'when']`. */
export type DocumentPath = readonly (string | number)[];

/** One mistake in a document, or one warning about it. */
export interface PolicyIssue {
  /** 1-based, in the document as sent. */
  line: number;
  /** 1-based, in UTF-16 code units. */
  column: number;
  /** JSON Pointer (RFC 6901) of the offending value; `''` is the whole document. */
  path: string;
  /** Machine word. */
  code: string;
  message: string;
  hint?: string;
}

/** A mistake in a text of the document; offset, line and column count in that text. */
export interface TextIssue {
  code: string;
  message: string;
  hint?: string;
  line: number;
  column: number;
  offset: number;
}

/** Called for every such mistake, with the text it is in. */
export type OnTextIssue = (path: DocumentPath, issue: TextIssue) => void;

export function pointerOf(path: DocumentPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A path as people write it: `rules[3].when`, `params["a-b"]`. */
export function readablePath(path: DocumentPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_]\w*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === '' ? 'the document' : text;
}
