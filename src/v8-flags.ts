import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * The flags to serve with on so many cores. On two or fewer, V8's helper threads take the core from the event loop while it
 * responds: with one of them in place of four an evaluation takes a third less CPU, and the 99th percentile is a third
 * (bench/notes/sqlite.md). 0 would be Node's own choice, which is four.
 *
 * Under load V8 lets each half of the young heap grow to 64 MB, and a process by 128 MB that hold garbage
 * (bench/notes/start.md). 16 MB was V8's own limit for years.
 */
export const v8Flags = (cores: number = availableParallelism()): readonly string[] => [
  ...(cores <= 2 ? ['--v8-pool-size=1'] : []),
  '--max-semi-space-size=16',
];

/**
 * From this size on, glibc maps memory and returns it as soon as it is freed. V8's compiler takes tens of megabytes in
 * pieces of 32 KB, which would stay with the process otherwise (bench/notes/start.md).
 */
export const mallocVariables = { MALLOC_MMAP_THRESHOLD_: '30000' };

/** The options that a process was started with. */
export interface Start {
  args: readonly string[];
  execArgv: readonly string[];
  nodeOptions: string;
  /** A process that is connected to its parent would lose the connection. */
  isConnected: boolean;
  platform: NodeJS.Platform;
}

/**
 * The flags that a process that is about to serve lacks; none when it is not, or cannot be started again. A flag that the
 * operator has set, to whatever value, is left as it is.
 */
export function missingFlags(
  { args, execArgv, nodeOptions, isConnected, platform }: Start,
  flags: readonly string[] = v8Flags(),
): readonly string[] {
  const serves = args[0] === 'serve' && !args.includes('--help');
  if (!serves || isConnected || platform !== 'linux') return [];
  const given = [...execArgv, ...nodeOptions.split(' ')].join(' ');
  return flags.filter((flag) => !given.includes(flag.split('=')[0] as string));
}

/**
 * Replaces this process, which keeps its id, by itself with the V8 flags for this machine and glibc's variables: both are
 * taken at the start of a process only. `script` is null in the single binary. Returns when there is nothing to change.
 */
export function ensureV8Flags(script: string | null): void {
  const { execPath, execArgv, env, platform } = process;
  const args = process.argv.slice(2);
  const nodeOptions = env.NODE_OPTIONS ?? '';
  const missing = missingFlags({
    args,
    execArgv,
    nodeOptions,
    isConnected: process.connected === true,
    platform,
  });
  if (missing.length === 0 || process.execve === undefined) return;
  const variables = { ...mallocVariables, ...env } as Record<string, string>;
  // The binary takes all of its arguments for its own.
  if (script === null) variables.NODE_OPTIONS = [...missing, nodeOptions].join(' ').trim();
  const own = script === null ? [] : [...missing, ...execArgv, script];
  process.execve(execPath, [execPath, ...own, ...args], variables);
}

/**
 * V8's limits on inlining, in bytecodes: the size of one inlined function, and the sum in one caller. With twice its defaults an
 * evaluation, which calls many functions of medium size, takes 3 to 10 % less CPU (bench/notes/sqlite.md).
 */
const inlining = [
  { flag: '--max-inlined-bytecode-size', usual: 460, ours: 920 },
  { flag: '--max-inlined-bytecode-size-cumulative', usual: 920, ours: 2_000 },
];
let inlinesMore = false;

function setInlining(limit: 'usual' | 'ours'): void {
  for (const { flag, ...limits } of inlining) setFlagsFromString(`${flag}=${limits[limit]}`);
}

/** Raises V8's inlining limits for code that is optimized from now on. Limits that the operator has set are left as they are. */
export function inlineMore(execArgv: readonly string[] = process.execArgv): void {
  if (inlinesMore || inlining.some(({ flag }) => execArgv.some((given) => given.startsWith(flag)))) return;
  inlinesMore = true;
  setInlining('ours');
  // At exit, Node writes its compile cache.
  process.once('exit', () => setInlining('usual'));
}

/**
 * Runs `work`, which reads or creates cached code, with V8's default inlining limits: V8 rejects cached code that was created with
 * other limits.
 */
export function withUsualInlining<T>(work: () => T): T {
  if (!inlinesMore) return work();
  setInlining('usual');
  try {
    return work();
  } finally {
    setInlining('ours');
  }
}
