import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clock of V8's profiles. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

interface Profile {
  startTime: number;
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}
interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** The threads' numbers are in the names of the files: the event loop's is 0. */
export function mainProfile(folder: string): Profile {
  const file = readdirSync(folder).find((name) => /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/.test(name));
  if (file === undefined) throw new Error('the service wrote no profile');
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
}

/**
 * The share that each part has of the busy time between two moments, by V8's profiler: a sample belongs to the first part that a source
 * file on its stack belongs to. Throws when a part is never seen, because then its files have other names.
 */
export function sharesOf<Part extends string>(
  { startTime, nodes, samples, timeDeltas }: Profile,
  parts: Readonly<Record<Part, RegExp>>,
  from: number,
  to: number,
): Record<Part, number> {
  const names = Object.keys(parts) as Part[];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = partsByFrame(parts);
  const partOfNode = new Map<number, Part | null>();
  const mark = (id: number, above: Part | null): void => {
    const node = byId.get(id);
    if (!node) return;
    const part = above ?? partOf(node.callFrame);
    partOfNode.set(id, part);
    for (const child of node.children ?? []) mark(child, part);
  };
  mark(nodes[0]?.id ?? 0, null);
  const times = new Map(names.map((name) => [name, 0]));
  let busy = 0;
  let at = startTime;
  samples.forEach((id, place) => {
    const took = timeDeltas[place] ?? 0;
    at += took;
    if (at < from || at > to || byId.get(id)?.callFrame.functionName === '(idle)') return;
    busy += took;
    const part = partOfNode.get(id);
    if (part) times.set(part, (times.get(part) ?? 0) + took);
  });
  for (const [name, time] of times) if (time === 0) throw new Error(`${name} was never seen`);
  return Object.fromEntries([...times].map(([name, time]) => [name, time / busy])) as Record<Part, number>;
}

/** The file of a script that V8 names: chunks that serve are loaded from memory (src/binary/load.ts). `dist` is the folder of the build. */
export function chunkPath(url: string, dist: string): string {
  if (url.startsWith('assize:')) return join(dist, 'serve', url.slice('assize:'.length));
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

/** Which part a frame belongs to; of bundled files, by their source maps. */
function partsByFrame<Part extends string>(parts: Readonly<Record<Part, RegExp>>) {
  const names = Object.keys(parts) as Part[];
  const maps = new Map<string, SourceMap | null>();
  return ({ url, lineNumber, columnNumber }: Frame): Part | null => {
    if (!/^(?:file|assize):/.test(url)) return null;
    if (!maps.has(url)) {
      const path = `${chunkPath(url, 'dist')}.map`;
      maps.set(url, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null);
    }
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    const source = entry && 'originalSource' in entry ? entry.originalSource : url;
    return names.find((name) => parts[name].test(`/${source}`)) ?? null;
  };
}
