import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import t, { type Test } from 'tap';
import { buildProgram, shells } from '../../src/cli/command.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { processEnvironment, program, root } from '../helpers/process.ts';

const bash = '/bin/bash';
const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0;

/** A folder with an `assize` to be found in PATH, and a file to be completed. */
function folderWithProgram(t: Test): string {
  const folder = temporaryFolder(t);
  const assize = join(folder, 'assize');
  writeFileSync(assize, `#!/bin/sh\nexec node ${program} "$@"\n`);
  chmodSync(assize, 0o755);
  writeFileSync(join(folder, 'policy.yaml'), '');
  return folder;
}

/** What bash offers after a line and a Tab: its own completion machinery, driven by its interactive form. */
function completed(folder: string, line: string): string[] {
  const words = line.split(' ');
  const script = `
    PATH=${folder}:$PATH
    source <(assize completion bash)
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    COMP_LINE='${line}'; COMP_POINT=${line.length}
    compopt() { echo "compopt $*"; }
    __assize_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync(bash, ['--norc', '-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: processEnvironment,
  });
  return `${stderr}${stdout}`.split('\n').filter((word) => word !== '');
}

t.test('bash completes commands, their aliases, options and values', async (t) => {
  const folder = folderWithProgram(t);
  const noFiles = 'compopt +o default';
  t.strictSame(completed(folder, 'assize po'), [noFiles, 'policies']);
  t.strictSame(completed(folder, 'assize policies d'), [noFiles, 'diff', 'deprecate', 'delete']);
  t.strictSame(completed(folder, 'assize policy dif'), [noFiles, 'diff']);
  t.strictSame(completed(folder, 'assize reviews list --st'), [noFiles, '--status']);
  t.strictSame(completed(folder, 'assize reviews list --status A'), [noFiles, 'APPROVED']);
  t.strictSame(completed(folder, 'assize completion ').toSorted(), [...shells, noFiles].toSorted());
});

t.test('where a file is wanted bash completes files', async (t) => {
  const folder = folderWithProgram(t);
  for (const line of ['assize policies check ', 'assize backup ', 'assize reviews list --database ']) {
    t.strictSame(completed(folder, line), [], `${line}: nothing is offered, and files are not forbidden`);
  }
  const { stdout } = spawnSync(
    bash,
    ['--norc', '-c', `source <(assize completion bash); complete -p assize`],
    {
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}` },
    },
  );
  t.equal(stdout, 'complete -o default -F __assize_complete assize\n');
});

t.test('the scripts are good shell', async (t) => {
  for (const shell of shells) {
    const { status, stdout } = spawnSync('node', [program, 'completion', shell], {
      cwd: root,
      encoding: 'utf8',
      env: processEnvironment,
    });
    t.equal(status, 0);
    t.match(stdout, /complete/);
    t.notMatch(stdout, root, 'and name no path of this machine');
    if (!hasShell(shell)) continue;
    const file = join(temporaryFolder(t), 'script');
    writeFileSync(file, stdout);
    t.match(spawnSync(shell, ['-n', file], { encoding: 'utf8' }), { status: 0, stderr: '' }, shell);
  }
});

/** What is offered for the last word, without the descriptions. */
async function offered(t: Test, words: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  const restore = t.intercept(console, 'log', { value: (line: string) => lines.push(line) }).restore;
  await run(['complete', '--', ...words]);
  restore();
  return lines.map((line) => line.replace(/\t.*/s, ''));
}

/** Every command that is not hidden, with the words that lead to it. */
const commandsOf = (command: Command, words: string[] = []): [string[], Command][] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((inner) => inner.name() !== 'help')
    .flatMap((inner) => {
      const path = [...words, inner.name()];
      return [[path, inner] as [string[], Command], ...commandsOf(inner, path)];
    });

t.test('every command is offered, with each of its options and their values', async (t) => {
  const commands = commandsOf(buildProgram());
  t.ok(commands.length > 100, `${commands.length} commands`);
  for (const [path, command] of commands) {
    const name = path.join(' ');
    t.ok((await offered(t, path)).includes(path.at(-1) ?? ''), name);
    const options = command.options.filter(({ hidden }) => !hidden);
    const found = await offered(t, [...path, '--']);
    for (const { long, argChoices } of options) {
      t.ok(found.includes(long ?? ''), `${name} ${long}`);
      if (!argChoices) continue;
      const values = await offered(t, [...path, long ?? '', '']);
      for (const value of argChoices) t.ok(values.includes(value), `${name} ${long} ${value}`);
    }
  }
});
