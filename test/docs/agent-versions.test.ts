import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { agents } from '../../src/cli/hook/agents.ts';
import { root } from '../helpers/process.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const installed = ['', 'openclaw/'].flatMap((folder) => {
  const { dependencies, optionalDependencies } = JSON.parse(read(`test/interop/${folder}package.json`));
  return Object.entries<string>({ ...dependencies, ...optionalDependencies });
});
const packages: Record<string, string> = {
  'claude-code': '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  'gemini-cli': '@google/gemini-cli',
  'qwen-code': '@qwen-code/qwen-code',
  copilot: '@github/copilot',
  vscode: '@github/copilot',
  opencode: 'opencode-linux-x64',
  pi: '@earendil-works/pi-coding-agent',
  openclaw: 'openclaw',
  cline: '@cline/cli-linux-x64',
};

t.test('the table of hooks names the versions that the tests run', async (t) => {
  const rows = [...read('docs/agents/README.md').matchAll(/^\| `([\w-]+)`[^|]*\| ([\d.]+) \|/gm)];
  t.strictSame(rows.map(([, agent]) => agent).sort(), Object.keys(packages).sort());
  for (const [, agent = '', version] of rows) {
    t.ok(agent in agents, agent);
    t.equal(version, new Map(installed).get(packages[agent] ?? ''), agent);
  }
});
