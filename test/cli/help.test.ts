import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import t from 'tap';
import { buildProgram } from '../../src/cli/command.ts';
import { contentRetentions, integrationKinds, sessionScopes } from '../../src/features/integrations/words.ts';
import { policyStatuses } from '../../src/features/policies/words.ts';
import { reviewStatuses } from '../../src/features/reviews/words.ts';
import { sessionStatuses } from '../../src/features/sessions/words.ts';
import { run } from '../helpers/command.ts';
import { everyCommand, helpPages } from '../helpers/help.ts';

const root = join(import.meta.dirname, '../..');

const commands = everyCommand();

t.test('every command says how it is used, with examples, and names nothing of this machine', async (t) => {
  for (const [name] of commands) {
    const { code, out, err } = await run([...name.split(' '), '--help']);
    t.match({ code, err }, { code: 0, err: '' }, name);
    t.match(out, new RegExp(`^Usage: assize ${name.split(' ')[0]}`));
    for (const here of [root, homedir(), process.execPath]) t.notOk(out.includes(here), `${name}: ${here}`);
    if (name.split(' ').at(-1) === 'help') continue;
    const examples = out.split('\nExamples:\n')[1] ?? '';
    t.match(examples, new RegExp(`^ {2}\\$ .*assize ${name}`), `${name} has an example`);
  }
});

t.test('every example is a command line that can be parsed', async (t) => {
  for (const [name] of commands) {
    const { out } = await run([...name.split(' '), '--help']);
    const examples = out.split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? [];
    for (const example of examples) {
      const [, line = ''] = /assize ([^>)|]*)/.exec(example) ?? [];
      const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        ([, ...found]) => found.find((one) => one !== undefined) ?? '',
      );
      const program = buildProgram({ stdout: { write: () => true }, stderr: { write: () => true } });
      disarm(program);
      await t.resolves(program.parseAsync(words, { from: 'user' }), example);
    }
  }
});

/** Leaves the parsing and takes the doing away. */
function disarm(command: Command): void {
  if (command.commands.length === 0) command.action(() => undefined);
  for (const inner of command.commands) disarm(inner);
}

t.test('the words that options take are those of the API', async (t) => {
  const words = (name: string, long: string) =>
    commands.find(([known]) => known === name)?.[1].options.find((option) => option.long === long)
      ?.argChoices;
  for (const [name, long, known] of [
    ['integrations create', '--kind', integrationKinds],
    ['integrations update', '--retain', contentRetentions],
    ['integrations update', '--session-scope', sessionScopes],
    ['policies list', '--status', policyStatuses],
    ['sessions list', '--status', sessionStatuses],
    ['reviews list', '--status', reviewStatuses],
  ] as const) {
    t.strictSame(words(name, long), known, `${name} ${long}`);
  }
});

t.test('docs/cli.md tells of every command', async (t) => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');
  for (const [name, command] of commands) {
    if (command.commands.length === 0 && !name.endsWith('help')) t.ok(page.includes(`assize ${name}`), name);
  }
});

t.test('the help is what test/cli/help.txt says: npm run -s docs -- help > test/cli/help.txt', async (t) => {
  t.equal(await helpPages(), readFileSync(join(import.meta.dirname, 'help.txt'), 'utf8'));
});
