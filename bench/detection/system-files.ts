import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isShort } from '../measure.ts';

const MAX_FILES = isShort ? 10 : 1_500;
const MAX_SIZE = 200_000;

/** What a Linux system has written about itself: its logs, and the changelogs and notes of its packages. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'logs of the system': ['/var/log'],
  'docs of packages': ['/usr/share/doc'],
};

function walk(folder: string, found: string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, found);
    else if (entry.isFile() && !/\.(?:xz|bz2|zst|png|gif|jpg|journal|pdf)$/.test(entry.name))
      found.push(path);
  }
}

function read(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').slice(0, MAX_SIZE);
}

/** The readable files of each folder that there is, every so many of them. */
export function systemFiles(): ReadonlyMap<string, readonly { path: string; text: string }[]> {
  const groups = new Map<string, { path: string; text: string }[]>();
  for (const [name, folders] of Object.entries(FOLDERS)) {
    const paths: string[] = [];
    for (const folder of folders) if (existsSync(folder)) walk(folder, paths);
    paths.sort();
    const step = Math.max(1, paths.length / MAX_FILES);
    const files: { path: string; text: string }[] = [];
    for (let i = 0; i < paths.length; i += step) {
      const path = paths[Math.floor(i)] as string;
      if (statSync(path).size > 0) files.push({ path, text: read(path) });
    }
    groups.set(name, files);
  }
  return groups;
}
