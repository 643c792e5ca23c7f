import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chunkPath } from './profiles.ts';

// Where the main thread's CPU time goes, by stage of an evaluation. `perf` samples the stacks by CPU time: V8's own profiler goes by
// wall time, and whatever wakes another thread looks large in it. Needs Linux, perf, and a process that runs with `mapFlag`.

/** V8 then writes /tmp/perf-PID.map, by which perf names compiled functions. Functions that V8 inlines count for their caller. */
export const mapFlag = '--perf-basic-prof';

/**
 * A sample belongs to the first stage that has one of its frames, from the innermost one outwards. A frame is the source file
 * and the function (`src/evaluate/judge.ts judge`), or a function of Node, V8 or the kernel.
 */
const stages: readonly (readonly [name: string, frames: RegExp])[] = [
  ['garbage collection', /Scaveng|MarkCompact|Heap::|Sweeper|Evacuat/],
  [
    'canonical JSON and its hash',
    /^src\/(json\/canonical|evaluate\/content\.ts (hash|rejectionHash|actionHashes))/,
  ],
  [
    'roots of the record, once a minute',
    /^src\/(record\/(merkle|roots)|(services|features|store\/sqlite)\/record\/|sql\/sqlite\/sql\.ts insert)/,
  ],
  [
    'row: columns, entry, digests',
    /^src\/(evaluate\/(sqlite\/)?evaluation-row|record\/|evaluate\/sqlite\/(record-chains|policy-sets))/,
  ],
  [
    'session state, counters, sightings',
    /^src\/evaluate\/(counters\/|sightings|sqlite\/(session|counter|sighting|seen|named-session|grants|integration-usage))/,
  ],
  [
    'blocks, violations, events, statistics',
    /^src\/(evaluate\/sqlite\/evaluation-blocks|store\/(sqlite\/)?(stats|events?|violations)|(?:services|features)\/(events|stats))/,
  ],
  [
    'identifiers of provenance',
    /^src\/(policy\/mentions|evaluate\/content\.ts (KnownDigests\.\w+|of|mentionedIn|identifierDigest)$)/,
  ],
  ['scan', /^(src\/(detectors|evaluate\/(scanning|content))|node_modules\/re2js)/],
  ['decide, settle, verdict', /^src\/(policy|cel|evaluate\/(judge|verdict|settle|approval|quotas|session))/],
  ['read and check the body', /^src\/(http\/(plugins\/json-body|json-checks)|json\/|evaluate\/verbatim)/],
  [
    'authenticate, policies in force',
    /^src\/(http\/plugins\/(authenticate|rate-limit|authorization-header)|services\/access\/|evaluate\/in-force|store\/cached)/,
  ],
  ['HTTP: hooks', /^src\/(http\/plugins|services\/fairness)/],
  ['HTTP: validate and route', /^(src\/http\/|evalmachine|node_modules\/ajv)/],
  ['begin, commit, sync', /^(src\/store\/sqlite\/(?!hot-statement)|node_modules\/better-sqlite3|node:fs)/],
  ['glue between the stages', /^src\/(?!store\/sqlite\/hot)/],
  ['HTTP: Fastify', /^node_modules\/(fastify|avvio|find-my-way|@fastify|fast-)/],
  [
    'HTTP: Node and the kernel',
    /^node:(_?http|net|internal\/(http|streams|stream_base|events)|events|stream)|llhttp|node::(http_parser|\S*Stream|\S*HTTP)/i,
  ],
  ['promises', /Microtask|Promise|AsyncFunction/],
];
const rest = 'event loop, rest';

/** Samples the main thread of a process for so many seconds, and returns the stages with their shares, the largest first. */
export async function sampleStages(pid: number, seconds: number, folder: string): Promise<StageShare[]> {
  const data = join(folder, 'perf.data');
  const options = ['-q', '-e', 'cpu-clock', '-F', '1999', '-g', '-t', String(pid), '-o', data];
  const perf = spawn('perf', ['record', ...options, '--', 'sleep', String(seconds)], { stdio: 'inherit' });
  await once(perf, 'exit');
  const { stdout } = await promisify(execFile)('perf', ['script', '-i', data, '-F', 'ip,sym'], {
    maxBuffer: 2 ** 30,
  });
  return shareOut(stdout, dirname(scriptOf(pid)));
}

/** The script that a Node process runs. */
const scriptOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    .split('\0')
    .findLast((argument) => /\.[jt]s$/.test(argument)) ?? '';

export interface StageShare {
  name: string;
  share: number;
  /** The frames that its samples were found by, the most frequent ones first. */
  frames: readonly (readonly [frame: string, share: number])[];
}

function shareOut(script: string, dist: string): StageShare[] {
  const named = createNames(dist);
  const found = new Map<string, Map<string, number>>();
  const samples = script.split('\n\n').filter((sample) => sample.trim() !== '');
  for (const sample of samples) {
    const frames = sample
      .trim()
      .split('\n')
      .map((line) => named(line.trim().replace(/^\S+ /, '')));
    const [stage, frame] = stageOf(frames);
    const counts = found.get(stage) ?? new Map<string, number>();
    found.set(stage, counts.set(frame, (counts.get(frame) ?? 0) + 1));
  }
  const shareOf = (count: number): number => count / samples.length;
  return [...found]
    .map(([name, counts]) => ({
      name,
      share: shareOf([...counts.values()].reduce((sum, count) => sum + count, 0)),
      frames: [...counts]
        .sort(([, left], [, right]) => right - left)
        .map(([frame, count]) => [frame, shareOf(count)] as const),
    }))
    .sort((left, right) => right.share - left.share);
}

function stageOf(frames: readonly string[]): readonly [stage: string, frame: string] {
  // A collection interrupts whatever allocates.
  for (const frame of frames) if (stages[0]?.[1].test(frame)) return [stages[0][0], frame];
  for (const frame of frames)
    for (const [name, pattern] of stages) if (pattern.test(frame)) return [name, frame];
  return [rest, frames[0] ?? ''];
}

/** Names frames by their source: the service runs bundled, and V8 knows only where a function stands in the bundle. */
function createNames(dist: string): (symbol: string) => string {
  const known = new Map<string, string>();
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (path: string): SourceMap | null => {
    const map = `${path}.map`;
    if (!maps.has(path))
      maps.set(path, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : null);
    return maps.get(path) ?? null;
  };
  function read(symbol: string): string {
    const [, name = '', url = '', line, column] = /^JS:[*+~^']*(.*?) ?(\S+):(\d+):(\d+)$/.exec(symbol) ?? [];
    if (url === '') return symbol;
    const path = chunkPath(url, dist);
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1);
    const source = entry && 'originalSource' in entry ? entry.originalSource : path;
    const place = /(?:src|node_modules)\/.*$/.exec(source)?.[0] ?? source;
    const at = entry && 'originalLine' in entry ? entry.originalLine + 1 : line;
    return `${place} ${name || `line ${at}`}`;
  }
  return (symbol) => {
    const name = known.get(symbol) ?? read(symbol);
    known.set(symbol, name);
    return name;
  };
}
