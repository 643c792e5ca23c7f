import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFile } from '../config/environment.ts';
import { Settings } from '../config/settings.ts';
import { shipped } from '../files.ts';
import type { LocalCall } from './api/call.ts';

interface Part {
  path: string;
  /** False when it was there, and was left as it is. */
  made: boolean;
}

export async function init({ out, args: [folder = '.'] }: LocalCall): Promise<void> {
  // The settings may hold a key, and the data will.
  process.umask(0o077);
  const parts: Part[] = [makeFolder(folder, 'data'), makeSettings(folder), makeFolder(folder, 'policies')];
  const policies = shipped('policies/');
  for (const name of readdirSync(policies)
    .filter((file) => file.endsWith('.yaml'))
    .sort()) {
    parts.push(
      make(join(folder, 'policies', name), (path) =>
        writeFileSync(path, readFileSync(policies + name), { flag: 'wx' }),
      ),
    );
  }
  out.list(
    parts,
    [
      { title: 'PATH', of: ({ path }) => path },
      { title: '', of: ({ made }) => (made ? 'made' : 'was there, and is as it was') },
    ],
    '',
  );
  const at = folder === '.' ? '' : `cd ${folder} && `;
  out.note(`
Next:
  ${at}assize doctor                          # is everything in order?
  assize serve                           # prints the operator key and a demo agent's, once
  assize integrations create my-agent --kind AGENT   # prints the key of your agent, once
  assize policies check policies/*.yaml  # edit them; check before you push
  assize policies push policies/runaway-agents.yaml --activate   # a policy that is not active decides nothing
  assize integrations bind my-agent runaway-agents`);
}

function make(path: string, write: (path: string) => void): Part {
  if (existsSync(path)) return { path, made: false };
  write(path);
  return { path, made: true };
}

const makeFolder = (folder: string, name: string): Part =>
  make(join(folder, name), (path) => void mkdirSync(path, { recursive: true }));

const makeSettings = (folder: string): Part =>
  make(join(folder, settingsFile), (path) => writeFileSync(path, settingsText(), { flag: 'wx' }));

/** Every setting with its meaning and default, for whoever edits it. */
export function settingsText(): string {
  const lines = [
    '# Settings of assize. They are read from the folder that `assize` is started in, and the environment wins over them.',
    '# Remove the # in front of one to change it.',
  ];
  for (const [name, { description = '', default: value = '' }] of Object.entries(Settings.properties)) {
    lines.push('', `# ${description}`, `# ${name}=${value}`);
  }
  return `${lines.join('\n')}\n`;
}
