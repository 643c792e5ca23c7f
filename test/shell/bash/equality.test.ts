import t from 'tap';
import { readCommands } from '../../../src/shell/commands.ts';
import { differenceOf, readAs } from './compare.ts';
import { Lines, randomOf } from './generate.ts';
import { accepts, runInBash } from './run.ts';

// SHELL_LINES=5000 SHELL_SEED=7 npm run test:slow -- shells

const count = Number(process.env.SHELL_LINES ?? 300);
const seed = Number(process.env.SHELL_SEED ?? 1);
const atOnce = 500;

t.test('the commands that are read are those that bash runs', { timeout: 0 }, async (t) => {
  const generator = new Lines(randomOf(seed));
  let [lines, commands, refused] = [0, 0, 0];
  while (lines < count) {
    const batch = Array.from({ length: Math.min(atOnce, count - lines) }, () => generator.line());
    for (const [index, ran] of runInBash(batch).entries()) {
      const line = batch[index] as string;
      lines += 1;
      const read = readAs(line);
      // Nothing of a line runs that bash does not take.
      if (read === null) {
        refused += 1;
        t.notOk(accepts('bash', line), `opaque: ${JSON.stringify(line)}`);
        continue;
      }
      commands += ran.length;
      const difference = differenceOf(read, ran);
      if (difference !== null) t.fail(`${difference}: ${JSON.stringify(line)}`);
    }
  }
  t.comment(`${lines} lines, ${commands} commands, ${refused} refused by both`);
  t.ok(commands > lines);
});

t.test(
  'a damaged text is read when a shell takes it, and opaque when none does',
  { timeout: 0 },
  async (t) => {
    const random = randomOf(seed + 1);
    const generator = new Lines(random);
    const characters = '\'"`$(){}[];&|<>\\\n #=!ifdone';
    let differences = 0;
    for (let index = 0; index < count; index += 1) {
      let text = generator.line().slice(0, 160);
      for (let edits = Math.floor(random() * 3); edits > 0; edits -= 1) {
        const at = Math.floor(random() * (text.length + 1));
        const added = characters[Math.floor(random() * characters.length)] as string;
        text =
          random() < 0.5
            ? text.slice(0, at) + text.slice(at + 1)
            : text.slice(0, at) + added + text.slice(at);
      }
      const isRead = !readCommands(text).commands.some(({ path, isOpaque }) => isOpaque && path === '');
      const taken = ['bash', 'dash'].map((shell) => accepts(shell, text));
      if (!taken.includes(isRead)) differences += 1;
    }
    t.comment(`${differences} of ${count} texts are read differently`);
    // Texts inside of texts, which `-n` does not look at, and mistakes of bash itself.
    t.ok(differences <= count * 0.02);
  },
);
