import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs } from './generate.ts';

/** Real programs: all they do is run others, which they find in the folder of stand-ins. */
const real = ['env', 'nohup', 'nice', 'timeout', 'stdbuf', 'setsid', 'xargs', 'find', 'bash', 'sh', 'dash'];
/** Builtins in whose place a function only says that it was called. */
const builtins = [
  'cd',
  'pushd',
  'popd',
  'export',
  'printf',
  'kill',
  'source',
  'test',
  'read',
  'umask',
  'ulimit',
  'trap',
  'alias',
];

const findProgram = (name: string): string => {
  const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return stdout.trim();
};

/** The words of every command that bash ran for a line, in any order. */
export type Ran = readonly (readonly string[])[];

/** What bash really runs for each of the lines: nothing but stand-ins, which note their arguments. In a folder of its own. */
export function runInBash(lines: readonly string[]): Ran[] {
  const folder = mkdtempSync(join(tmpdir(), 'assize-shell-'));
  try {
    const bin = join(folder, 'bin');
    const log = join(folder, 'log');
    mkdirSync(bin);
    mkdirSync(join(folder, 'work'));
    for (const name of real) symlinkSync(findProgram(name), join(bin, name));
    // One write for each command, because several run at once.
    const note = 'r=; for w in "$0" "$@"; do r="$r$w\u0001"; done';
    for (const name of programs) {
      const path = join(bin, name);
      writeFileSync(
        path,
        `#!${findProgram('dash')}\n${note.replace('"$0"', `"${name}"`)}; printf '%s\\002' "$r" >> "$ASSIZE_LOG"\n`,
      );
      chmodSync(path, 0o755);
    }
    writeFileSync(join(bin, 'time'), `#!${findProgram('dash')}\nexec "$@"\n`);
    chmodSync(join(bin, 'time'), 0o755);
    const functions = [
      '__note() { local r= w; for w in "$@"; do r="$r$w"$\'\\001\'; done; builtin printf \'%s\\002\' "$r" >> "$ASSIZE_LOG"; }',
      'command_not_found_handle() { __note "$@"; return 0; }',
      'false() { __note false; return 1; }',
      'echo() { __note echo "$@"; builtin echo "$@"; }',
      ...builtins.map((name) => `${name}() { __note ${name} "$@"; }`),
    ];
    const script = [
      ...functions,
      ...lines.map(
        (line, index) =>
          `( builtin cd ${join(folder, 'work')}; eval ${quote(line)}\nwait ) </dev/null >/dev/null 2>&1; wait; builtin printf '\\003' >> "$ASSIZE_LOG" # ${index}`,
      ),
    ].join('\n');
    const path = join(folder, 'script');
    writeFileSync(path, script);
    writeFileSync(log, '');
    const { status, error, stderr } = spawnSync(findProgram('bash'), ['--norc', '--noprofile', path], {
      cwd: join(folder, 'work'),
      env: { PATH: bin, ASSIZE_LOG: log, HOME: join(folder, 'work'), LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    if (error || status !== 0) throw error ?? new Error(`bash ended with ${status}: ${stderr}`);
    const noted = readFileSync(log, 'utf8').split('\u0003').slice(0, -1);
    return noted.map((one) =>
      one
        .split('\u0002')
        .slice(0, -1)
        .map((words) => words.split('\u0001').slice(0, -1)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether a shell takes the text for commands, without running it. */
export const accepts = (shell: string, text: string): boolean =>
  spawnSync(shell, shell === 'bash' ? ['-O', 'extglob', '-n', '-c', text] : ['-n', '-c', text], {
    stdio: 'ignore',
  }).status === 0;
