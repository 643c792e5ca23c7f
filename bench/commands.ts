import { readCommands } from '../src/shell/commands.ts';
import { nanoseconds } from './measure.ts';

// Microseconds that reading a command line takes, and what is read of it.

const mixed = `cd /srv/app && npm run build 2>&1 | tee "build $(date +%F).log" || { echo 'failed: see log' >&2; exit 1; }
for f in src/*.ts; do git add "$f" --force -v; done
if [ -f .env ]; then export $(grep -v '^#' .env | xargs); fi; docker run --rm -v "$PWD:/w" -e A="b c" node:24 sh -c 'npm ci && npm test'
`;
const texts: Readonly<Record<string, string>> = {
  'a commit and a push': 'git commit -m "fix: the parser" && git push origin main',
  'a file in a here document': `cat > src/a.ts <<'EOF'\n${'export const value = compute(1, 2, 3); // line\n'.repeat(20)}EOF\nnpm test\n`,
  '18 commands with 7 words': `${'npm run test -- --filter foo bar baz src/lib/file.ts && '.repeat(18)}true`,
  'everything, 49 commands': mixed.repeat(3),
};

for (const [name, text] of Object.entries(texts)) {
  const microseconds = nanoseconds(() => readCommands(text)) / 1_000;
  const { commands } = readCommands(text);
  console.log(
    `${name.padEnd(26)} ${String(text.length).padStart(5)} characters ${String(commands.length).padStart(3)} commands ${microseconds.toFixed(2).padStart(7)} µs`,
  );
}
