import { ShellCompDirective } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** The library's script takes this function from the package bash-completion, which many machines do not have. */
const wordsInBash = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
  cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
}
`;
/** Registered again, so that bash completes files where nothing is offered and nothing forbids them. */
const filesInBash = 'complete -o default -F __assize_complete assize\n';

export function printScript(program: Command, shell: string, io: Io): void {
  if (shell === 'bash') io.stdout.write(wordsInBash);
  tab(program, { completionCommandName: 'completion' }).setup('assize', 'assize', shell);
  if (shell === 'bash') io.stdout.write(filesInBash);
}

/** Prints what may come next. Where a file is wanted the shell is left to complete it, which it does best. */
export function printCompletions(program: Command, words: readonly string[]): void {
  const { known, wantsFile } = read(program, words);
  describeShortly(program);
  const root = tab(program, { completionCommandName: 'completion' });
  if (wantsFile) {
    // The library has no way to ask for it: it sets NoFileComp before it prints.
    Object.defineProperty(root, 'directive', {
      get: () => ShellCompDirective.ShellCompDirectiveDefault,
      set: () => undefined,
    });
  }
  root.parse(known);
}

/** A description is a paragraph; beside a completion there is place for a line. */
function describeShortly(program: Command): void {
  for (const command of program.commands) {
    command.description(command.summary() || command.description());
    describeShortly(command);
  }
}

/** Arguments, and values of options, that name files. */
const namesFile = /^(file|folder)$|<file>$/;

/** The words with commands by their names instead of aliases, and whether the last one is to name a file. */
function read(program: Command, words: readonly string[]): { known: string[]; wantsFile: boolean } {
  const known: string[] = [];
  const last = words.at(-1) ?? '';
  let command = program;
  let place = 0;
  let awaited: string | null = null;
  for (const word of words.slice(0, -1)) {
    const isValue: boolean = awaited !== null;
    awaited = null;
    const inner = place > 0 || isValue ? undefined : findCommand(command, word);
    known.push(inner?.name() ?? word);
    if (inner) command = inner;
    else if (word.startsWith('-')) awaited = valueAwaitedBy(command, word);
    else if (!isValue) place++;
  }
  known.push(last);
  if (awaited !== null) return { known, wantsFile: namesFile.test(awaited) };
  const declared = command.registeredArguments;
  const argument = declared[place] ?? (declared.at(-1)?.variadic ? declared.at(-1) : undefined);
  return { known, wantsFile: !last.startsWith('-') && namesFile.test(argument?.name() ?? '') };
}

const findCommand = (command: Command, word: string): Command | undefined =>
  command.commands.find((one) => one.name() === word || one.aliases().includes(word));

/** The flags of an option that takes a value; null for one that takes none, or is unknown. */
function valueAwaitedBy(command: Command, word: string): string | null {
  const option = command.options.find(({ long, short }) => word === long || word === short);
  return option && (option.required || option.optional) ? option.flags : null;
}
