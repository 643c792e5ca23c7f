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
  const given = [...execArgv, ...nodeOptions.split(' ')];
  return flags.filter((flag) => !isGiven(flag, given));
}

/** V8 takes `_` for `-` in names. */
const nameOf = (flag: string): string => flag.replace(/=.*/, '').replaceAll('_', '-');
const isGiven = (flag: string, given: readonly string[]): boolean =>
  given.some((one) => nameOf(one) === nameOf(flag));

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
  // Under `node --permission`, a process may be prevented from running programs.
  const mayReplace = process.execve !== undefined && (process.permission?.has('child') ?? true);
  if (missing.length === 0 || !mayReplace) return;
  const variables = { ...mallocVariables, ...env } as Record<string, string>;
  // The binary takes all of its arguments for its own.
  if (script === null) variables.NODE_OPTIONS = [...missing, nodeOptions].join(' ').trim();
  const own = script === null ? [] : [...missing, ...execArgv, script];
  process.execve?.(execPath, [execPath, ...own, ...args], variables);
}

/**
 * V8's flags for a service that listens. They are set that late because V8 rejects compiled code that was created under other flags,
 * and at run time because Node takes none of them from NODE_OPTIONS (bench/notes/sqlite.md has what each brings).
 *
 * - Inlining, in bytecodes of one inlined function, and of all in one caller: an evaluation calls many functions of medium size.
 * - After eight seconds with little to do V8 collects garbage twice, and with it the machine code of all functions that exist only
 *   during an evaluation: the next 10,000 evaluations take up to twice the CPU. `watchIdleness` collects later.
 */
const servingFlags: readonly ServingFlag[] = [
  { usual: '--max-inlined-bytecode-size=460', ours: '--max-inlined-bytecode-size=920' },
  {
    usual: '--max-inlined-bytecode-size-cumulative=920',
    ours: '--max-inlined-bytecode-size-cumulative=2000',
  },
  { usual: '--memory-reducer-gc-count=2', ours: '--memory-reducer-gc-count=0' },
];
interface ServingFlag {
  readonly usual: string;
  readonly ours: string;
}
/** The flags that are set; null until the service listens. */
let own: readonly ServingFlag[] | null = null;

function setFlags(to: keyof ServingFlag): void {
  for (const flag of own ?? []) setFlagsFromString(flag[to]);
}

/** The flags to set when the service listens, without those that the operator has set. */
export function missingServingFlags(execArgv: readonly string[]): readonly ServingFlag[] {
  return servingFlags.filter(({ ours }) => !isGiven(ours, execArgv));
}

/** For code that is optimized, and collections that begin, from now on. */
export function setServingFlags(): void {
  if (own) return;
  own = missingServingFlags(process.execArgv);
  setFlags('ours');
  // At exit, Node writes its compile cache.
  process.once('exit', () => setFlags('usual'));
}

/** Runs `work`, which reads or creates cached code, with V8's usual flags: V8 rejects cached code that was created with others. */
export function withUsualFlags<T>(work: () => T): T {
  setFlags('usual');
  try {
    return work();
  } finally {
    setFlags('ours');
  }
}
