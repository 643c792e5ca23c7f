import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

// npm runs a script in the folder of the package
const ROOT = process.cwd();
const MAX_SIZE = 400_000;
const LOCKFILES =
  /^(?:package-lock|npm-shrinkwrap)\.json$|^(?:yarn|Cargo|poetry|composer)\.lock$|^pnpm-lock\.yaml$/;

/** One file of a group, as an agent would pass it on: JSON parsed, everything else as text. */
export interface RealFile {
  path: string;
  text: string;
  value: unknown;
}

const GROUPS: Readonly<Record<string, (name: string) => boolean>> = {
  lockfiles: (name) => LOCKFILES.test(name),
  READMEs: (name) => /^readme/i.test(name),
  docs: (name) => /\.(?:md|mdx|txt)$/i.test(name) && !/^readme/i.test(name),
  JSON: (name) => name.endsWith('.json') && !LOCKFILES.test(name),
  JS: (name) => /\.[cm]?js$/.test(name),
  declarations: (name) => /\.d\.[cm]?ts$/.test(name),
  Python: (name) => name.endsWith('.py'),
};

function walk(folder: string, found: string[], inner: boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (inner || !/^(?:node_modules|dist|\.git)$/.test(entry.name)) walk(path, found, inner);
    } else if (entry.isFile()) found.push(path);
  }
}

/** The standard library of the Python that is installed, null when there is none. */
function pythonLibrary(): string | null {
  try {
    const asked = ['-c', 'import sysconfig; print(sysconfig.get_paths()["stdlib"])'];
    const folder = execFileSync('python3', asked, { encoding: 'utf8' }).trim();
    return existsSync(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** Real, harmless files: the sources and lockfiles of the dependencies, and the standard library of Python. */
export function realFiles(limit = 2_000): ReadonlyMap<string, readonly RealFile[]> {
  const paths: string[] = [];
  walk(ROOT, paths, false);
  const own = paths.filter((path) => LOCKFILES.test(basename(path)));
  const all: string[] = [...own];
  walk(join(ROOT, 'node_modules'), all, true);
  const python = pythonLibrary();
  if (python !== null) walk(python, all, true);
  const groups = new Map<string, RealFile[]>();
  for (const [group, belongs] of Object.entries(GROUPS)) {
    const chosen = all.filter(
      (path) => belongs(basename(path)) && statSync(path).size < (group === 'lockfiles' ? 4e6 : MAX_SIZE),
    );
    const step = Math.max(1, chosen.length / limit);
    const files: RealFile[] = [];
    for (let i = 0; i < chosen.length; i += step) {
      const path = chosen[Math.floor(i)] as string;
      const text = readFileSync(path, 'utf8');
      files.push({ path, text, value: parsed(path, text) });
    }
    groups.set(group, files);
  }
  return groups;
}

function parsed(path: string, text: string): unknown {
  if (!path.endsWith('.json')) return { text };
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { text };
  }
}
