import { type Frame, nameOf, opaque, type Unwrapping, type Wrapper } from './frame.ts';
import { UNSAFE } from './word.ts';

const names = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'ksh93', 'mksh', 'rbash', 'fish', 'csh', 'tcsh'];

/** `bash -c text`, `bash file`, and what comes from standard input. */
const shell: Wrapper = (unwrapping, frame) => {
  const { words } = frame;
  let hasText = false;
  let readsInput = false;
  let at = frame.at + 1;
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (((frame.bits[at] ?? 0) & UNSAFE) !== 0 && !hasText) return opaque(unwrapping, frame);
    if (word === '--' || word === '-') {
      at += 1;
      break;
    }
    if (!/^[-+]/.test(word)) break;
    if (word.startsWith('--')) {
      if (word === '--version' || word === '--help') return Number.POSITIVE_INFINITY;
      if (word === '--rcfile' || word === '--init-file') at += 1;
      // fish
      if (word.startsWith('--command=')) return text(unwrapping, frame, word.slice(10), at);
      if (word === '--command') hasText = true;
      continue;
    }
    // It reads its commands and runs none.
    if (/^-(?=\w*n)[a-hj-zA-Z]+$/.test(word)) return Number.POSITIVE_INFINITY;
    if (word.startsWith('-') && word.includes('c')) hasText = true;
    if (word.includes('s')) readsInput = true;
    if (/[oO]$/.test(word)) at += 1;
  }
  const said = words[at];
  if (hasText) return said === undefined ? opaque(unwrapping, frame) : text(unwrapping, frame, said, at);
  if (said !== undefined && !readsInput) {
    unwrapping.add(frame, /^\/(?:dev\/(?:stdin|fd)|proc)/.test(said));
    return null;
  }
  return runInput(unwrapping, frame);
};

function text(unwrapping: Unwrapping, frame: Frame, said: string, at: number): null {
  unwrapping.runText(frame, said, frame.bits[at] ?? 0, nameOf(frame));
  return null;
}

/** A shell that reads its commands. */
function runInput(unwrapping: Unwrapping, frame: Frame): null {
  const { input } = frame;
  // The printed text is known; a here document may come from somebody else's template.
  unwrapping.add(frame, typeof input !== 'string' || frame.pipedFrom.length === 0);
  if (typeof input === 'string') unwrapping.runText(frame, input, 0, nameOf(frame), undefined);
  return null;
}

export const shells: readonly (readonly [string, Wrapper])[] = [
  ...names.map((name) => [name, shell] as const),
  // Their commands come from standard input.
  ...['at', 'batch'].map((name) => [name, runInput] as const),
];
