import { readFileSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };

// The section of CHANGELOG.md for a version: the text of its release. Run: node scripts/release/notes.mjs [VERSION]
const version = process.argv[2] ?? manifest.version;
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const [, text] = changelog.split(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm'));
if (text === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
process.stdout.write(`${text.split(/^## \[/m)[0]?.trim()}\n`);
