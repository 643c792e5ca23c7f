import { type Frame, opaque, type Wrapper } from './frame.ts';
import { readOptions, valuesOf } from './options.ts';
import { UNKNOWN, UNSAFE, type WordBits } from './word.ts';
import { options } from './wrapping.ts';

// Programs that run a command for each of many words: files that are found, lines that are read.

/** Stands for words that are only known when it runs. */
const UNKNOWN_WORDS = '$@';

/** A word in which the given text is replaced by what is only known when it runs. */
const replacedIn = (frame: Frame, text: string): WordBits[] =>
  frame.words.map((word, index) =>
    word.includes(text) ? (frame.bits[index] ?? 0) | UNKNOWN | UNSAFE : (frame.bits[index] ?? 0),
  );

const xargsOptions = options(
  'IdEnLsPa',
  'replace delimiter eof max-args max-lines max-chars max-procs arg-file process-slot-var',
);
export const xargs: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, xargsOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  if (found.at >= frame.words.length) return found.at;
  const [replaced] = valuesOf(found, 'I', 'replace');
  const mark = replaced?.text ?? (found.flags.includes('i') || found.flags.includes('replace') ? '{}' : null);
  if (mark !== null)
    unwrapping.runWords(frame, found.at, 'xargs', { bits: replacedIn(frame, mark), input: null });
  else {
    const words = [...frame.words, UNKNOWN_WORDS];
    const bits = [...frame.words.map((_, index) => frame.bits[index] ?? 0), UNKNOWN | UNSAFE];
    unwrapping.runWords(frame, found.at, 'xargs', { words, bits, input: null });
  }
  return null;
};

const parallelOptions = options(
  'jINLPSna',
  'jobs max-args max-replace-args sshlogin sshloginfile timeout retries delay joblog results tmpdir colsep arg-file delimiter halt workdir wd basefile tagstring',
);
export const parallel: Wrapper = (unwrapping, frame) => {
  const found = readOptions(frame, frame.at + 1, parallelOptions);
  if (found.isUnsafe) return opaque(unwrapping, frame);
  const { words, bits } = frame;
  const first = words.findIndex((word, index) => index >= found.at && /^:::[:+]*$/.test(word));
  const end = first < 0 ? words.length : first;
  const args = words.slice(end + 1).filter((word) => !/^:::[:+]*$/.test(word));
  if (end === found.at) {
    // Every argument is a command line.
    if (args.length === 0) return opaque(unwrapping, frame);
    const all = bits.slice(end).reduce((sum, one) => sum | one, 0);
    unwrapping.runText(frame, args.join('\n'), all, 'parallel', null);
    return null;
  }
  const isReplaced = words.slice(found.at, end).some((word) => word.includes('{'));
  const further = isReplaced ? [] : first < 0 ? [UNKNOWN_WORDS] : args;
  const command = [...words.slice(found.at, end), ...further].join(' ');
  const known = bits.slice(found.at).reduce((sum, one) => sum | one, 0);
  unwrapping.runText(frame, command, known | (first < 0 && isReplaced ? UNSAFE : 0), 'parallel', null);
  return null;
};

const findRuns: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
export const find: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  for (let at = frame.at + 1; at < words.length; at += 1) {
    if (!findRuns.has(words[at] as string)) continue;
    let end = at + 1;
    while (end < words.length && words[end] !== ';' && !(words[end] === '+' && words[end - 1] === '{}'))
      end += 1;
    unwrapping.runWords({ ...frame, words: words.slice(0, end) }, at + 1, 'find', {
      words: words.slice(0, end),
      bits: replacedIn(frame, '{}'),
      input: null,
    });
    at = end;
  }
  return null;
};

const fdRuns: ReadonlySet<string> = new Set(['-x', '-X', '--exec', '--exec-batch']);
export const fd: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const at = frame.words.findIndex((word, index) => index > frame.at && fdRuns.has(word));
  if (at >= 0) {
    const words = [...frame.words, '{}'];
    const bits = [...replacedIn(frame, '{}'), UNKNOWN];
    unwrapping.runWords(frame, at + 1, 'fd', { words, bits, input: null });
  }
  return null;
};
