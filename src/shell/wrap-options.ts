import type { Wrapper } from './frame.ts';
import type { WordBits } from './word.ts';

// Programs with options whose value is a command line: `tar -I 'zstd -19'`, `rsync -e ssh`.

/** Reads the value of each such option as a command of its own, beside the program itself. */
const commandOptions =
  (short: string, long: readonly string[] = []): Wrapper =>
  (unwrapping, frame) => {
    unwrapping.add(frame, false);
    const { words, bits } = frame;
    const run = (value = '', known: WordBits = 0): void => {
      if (value !== '') unwrapping.runText(frame, value, known, words[frame.at] as string);
    };
    for (let at = frame.at + 1; at < words.length; at += 1) {
      const word = words[at] as string;
      if (word === '--') break;
      if (word.startsWith('--')) {
        const equals = word.indexOf('=');
        const name = word.slice(2, equals < 0 ? undefined : equals);
        if (!long.includes(name)) continue;
        const value = equals < 0 ? words[at + 1] : word.slice(equals + 1);
        run(name === ACTION ? execOf(value) : value, bits[equals < 0 ? at + 1 : at]);
      } else if (word.startsWith('-') && word.length > 1) {
        if (short.includes(word.at(-1) as string)) run(words[at + 1], bits[at + 1]);
        else if (short.includes(word[1] as string)) run(word.slice(2), bits[at]);
      }
    }
    return null;
  };

/** Its value is a command after `exec=`. */
const ACTION = 'checkpoint-action';
const execOf = (value = ''): string | undefined => /^exec=(.*)$/s.exec(value)?.[1];

const tar = commandOptions('I', [
  ACTION,
  'use-compress-program',
  'to-command',
  'rsh-command',
  'info-script',
  'new-volume-script',
]);

export const runsOptions: readonly (readonly [string, Wrapper])[] = [
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['rsync', commandOptions('e', ['rsh', 'rsync-path'])],
  ['sort', commandOptions('', ['compress-program'])],
  ['split', commandOptions('', ['filter'])],
  ['rg', commandOptions('', ['pre'])],
  ['man', commandOptions('P', ['pager'])],
  ['zip', commandOptions('', ['unzip-command'])],
  ['tcpdump', commandOptions('z')],
  ['scp', commandOptions('S')],
  ['sftp', commandOptions('S')],
];
