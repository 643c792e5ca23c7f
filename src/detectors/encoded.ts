import type { Pass } from './pass.ts';
import { decode, drawnEnd, isEncoded, isText, MAX_ENCODED } from './text/base64.ts';

const MIN_LENGTH = 24;
const NO_CONTEXTS: readonly number[] = [];
const units = new Uint16Array(MAX_ENCODED);

/**
 * Decodes the base64 that the word from `from` to `to` is part of and reads what it holds with `inner`; what is found
 * there is a finding of the whole encoded text. Answers where to go on: after it, or when it holds nothing after what no
 * word stands in, at `to` at least.
 */
export function readEncoded(
  pass: Pass,
  inner: Pass,
  from: number,
  to: number,
  scan: (pass: Pass, contexts: readonly number[]) => void,
): number {
  const b = pass.text.bytes;
  let start = from;
  while (start > pass.encodedEnd && start > from - MIN_LENGTH && isEncoded(b[start - 1] as number)) start--;
  // in the middle of a run the bits would not line up: its beginning was tried before
  if (isEncoded(b[start - 1] as number) || !isText(b, start)) {
    pass.encodedEnd = Math.max(to, drawnEnd(b, from));
    return pass.encodedEnd;
  }
  let end = to;
  while (isEncoded(b[end] as number)) end++;
  pass.encodedEnd = end;
  const n = decode(b, start, Math.min(end, start + MAX_ENCODED), units);
  while (b[end] === 61) end++;
  let found = false;
  inner.text.loadUnits(units, n);
  inner.onFound = (tag, rank) => {
    found = true;
    pass.found(tag, rank, start, end);
  };
  scan(inner, NO_CONTEXTS);
  return found ? end : Math.max(to, drawnEnd(b, from));
}
