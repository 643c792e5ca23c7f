import type { Wrapper } from './frame.ts';
import { readOptions, valuesOf } from './options.ts';
import type { WordBits } from './word.ts';
import { joined, options } from './wrapping.ts';

const gitOptions = options('cC', 'git-dir work-tree namespace exec-path config-env');
/** Settings of git that are commands. */
const gitCommands =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|pager\..*|credential\..*helper|gpg\.program|.*\.(?:textconv|command|cmd|clean|smudge|process))=(.*)$/is;
export const git: Wrapper = (unwrapping, frame) => {
  unwrapping.add(frame, false);
  const { words } = frame;
  const found = readOptions(frame, frame.at + 1, gitOptions);
  for (const { text, bits } of valuesOf(found, 'c')) {
    const [, command] = /^alias\.[^=]*=!(.*)$/is.exec(text) ?? gitCommands.exec(text) ?? [];
    if (command !== undefined) unwrapping.runText(frame, command, bits, 'git');
    const [, aliased] = /^alias\.[^=]*=([^!].*)$/is.exec(text) ?? [];
    if (aliased !== undefined)
      unwrapping.runText(frame, `git ${aliased} ${words.slice(found.at + 1).join(' ')}`, bits, 'git');
  }
  const { at } = found;
  const text = (value: string | undefined, bits: WordBits | undefined): void => {
    if (value !== undefined) unwrapping.runText(frame, value, bits ?? 0, 'git');
  };
  const after = (index: number) => text(words[index + 1], frame.bits[index + 1]);
  switch (words[at]) {
    case 'config': {
      const key = words.findIndex((word, index) => index > at && /^(?:alias\.|core\.)/i.test(word));
      const value = words[key + 1];
      if (key > 0 && value?.startsWith('!')) text(value.slice(1), frame.bits[key + 1]);
      else if (key > 0 && gitCommands.test(`${words[key]}=${value ?? ''}`) && value) after(key);
      break;
    }
    case 'rebase':
    case 'difftool':
    case 'filter-branch':
      for (let index = at + 1; index < words.length; index += 1) {
        const word = words[index] as string;
        const [, inOne] = /^--(?:exec|extcmd)=(.*)$/s.exec(word) ?? [];
        if (inOne !== undefined) text(inOne, frame.bits[index]);
        else if (/^(?:-x|--exec|--extcmd|.*-filter)$/.test(word)) after(index);
      }
      break;
    case 'bisect':
      if (words[at + 1] === 'run') unwrapping.runWords(frame, at + 2, 'git');
      break;
    case 'submodule':
      if (words[at + 1] === 'foreach') {
        const { text: all, bits } = joined(frame, words[at + 2] === '--recursive' ? at + 3 : at + 2);
        text(all, bits);
      }
      break;
    default:
  }
  return null;
};
