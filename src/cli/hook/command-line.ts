import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type CertificateFiles, certificateSettings } from '../client-certificate.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Written } from './agents.ts';
import type { Choices } from './output.ts';
import type { HookHandler } from './settings.ts';

export interface HookFlags extends Choices {
  limitMs: number;
  waitSeconds: number;
  config?: string;
}

export const defaultFlags = {
  onAllow: 'pass',
  onHold: 'ask',
  onFailure: 'deny',
  limitMs: 5_000,
  waitSeconds: 300,
} as const satisfies HookFlags;

/**
 * Seconds that an agent waits beyond the hook's own limits. Most agents let an action pass when they give a hook up, and an agent
 * that keeps the machine busy makes its own hook start late.
 */
const spareSeconds = 30;

/**
 * The command that Claude Code is told to run, with the flags that differ from the defaults. The command does not depend on the
 * agent's `NODE_OPTIONS`, which a project can set: Node refuses to start with a broken one, and runs code of others with
 * `--require`. Agents stop an action at exit code 2 only, and let it pass at any other failure, so every failure to start
 * becomes exit code 2, with a reason, which Codex insists on.
 */
export function handlerOf(program: string, flags: HookFlags): HookHandler {
  const open = flags.onFailure === 'allow';
  return {
    type: 'command',
    command: commandOf(program, 'claude-code', flags),
    timeout: timeoutSeconds(flags),
    ...(!open && { onFailure: 'block' }),
  };
}

/** `cannotStart`: what the agent reads of a hook that does not even start, where exit code 2 is not enough. */
export function commandOf(program: string, agent: string, flags: HookFlags, cannotStart?: Written): string {
  const command = ['env -u NODE_OPTIONS', program, `hook ${agent}`, ...given(flags)].join(' ');
  if (flags.onFailure === 'allow') return command;
  if (!cannotStart?.stdout) return `${command} || ${failClosed}`;
  const says = `echo '${JSON.stringify(cannotStart.stdout)}'`;
  return `${command} || { [ $? = 2 ] || ${says}; exit ${cannotStart.exitCode}; }`;
}

/** Seconds for which the agent must wait. */
export function timeoutSeconds(flags: HookFlags): number {
  const waiting = flags.onHold === 'wait' ? flags.waitSeconds + flags.limitMs / 1_000 : 0;
  // Reading the input has a limit of its own.
  return Math.ceil((2 * flags.limitMs) / 1_000 + waiting) + spareSeconds;
}

const failClosed = "{ [ $? = 2 ] || echo 'assize: the hook could not run' >&2; exit 2; }";

function given(flags: HookFlags): string[] {
  const words: string[] = [];
  if (flags.onAllow !== defaultFlags.onAllow) words.push(`--on-allow ${flags.onAllow}`);
  if (flags.onHold !== defaultFlags.onHold) words.push(`--on-hold ${flags.onHold}`);
  if (flags.onFailure !== defaultFlags.onFailure) words.push(`--on-failure ${flags.onFailure}`);
  if (flags.limitMs !== defaultFlags.limitMs) words.push(`--limit-ms ${flags.limitMs}`);
  if (flags.waitSeconds !== defaultFlags.waitSeconds) words.push(`--wait-seconds ${flags.waitSeconds}`);
  if (flags.config !== undefined) words.push(`--config ${quoted(resolve(flags.config))}`);
  return words;
}

/** This very program for a shell, by its full path: a hook runs with whatever PATH its agent was started with. */
export const thisProgram = (argv?: readonly string[]): string => programWords(argv).map(quoted).join(' ');

/** The same as the words of a command. */
export function programWords([node = '', script = '']: readonly string[] = process.argv): string[] {
  if (/[\\/]_npx[\\/]/.test(script)) {
    throw new Exit(
      exitCodes.wrongUse,
      'npx may remove this copy at any time: install assize, or name what runs it with --program',
    );
  }
  // A single binary is its own Node: it names itself, or no script at all.
  const isScript = resolve(script) !== resolve(node) && /^(?:main\.js|assize)$/.test(basename(script));
  return isScript ? [node, resolve(script)] : [node];
}

/** For the shell that runs hooks: sh, and Git Bash on Windows. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/(["$`\\])/g, '\\$1')}"`;

interface Server extends CertificateFiles {
  url: string;
  key: string | undefined;
}
export interface ServerFlags extends CertificateFiles {
  url?: string;
  key?: string;
}

const defaultUrl = 'http://127.0.0.1:3000';
export const defaultConfigFile = (): string => join(homedir(), '.config', 'assize', 'hook.env');

/**
 * The server, its key and the files of certificates, all from one place: with only the address of another server in its
 * environment, a hook would send that server the key. A file that was named wins over the environment, which an agent's project
 * may set. Throws Error for a named file that cannot be read.
 */
export function serverOf(given: ServerFlags & { config?: string }): Server {
  const file = readEnv(given.config);
  const [first, second] = given.config === undefined ? [fromFlags(given), file] : [file, fromFlags(given)];
  const place = first.ASSIZE_KEY === undefined && second.ASSIZE_KEY !== undefined ? second : first;
  const files = certificateNames.filter((name) => place[certificateSettings[name]] !== undefined);
  return {
    url: place.ASSIZE_URL ?? defaultUrl,
    key: place.ASSIZE_KEY,
    ...Object.fromEntries(files.map((name) => [name, place[certificateSettings[name]]])),
  };
}

/** The file that an installed hook is told to read: the usual one where it is there. A shared settings file names none. */
export function pinnedConfig({
  config,
  project,
}: {
  config?: string;
  project?: boolean;
}): string | undefined {
  if (config !== undefined || project) return config;
  const usual = defaultConfigFile();
  return existsSync(usual) ? usual : undefined;
}

const certificateNames = Object.keys(certificateSettings) as (keyof CertificateFiles)[];

const fromFlags = (flags: ServerFlags): NodeJS.Dict<string> => ({
  ASSIZE_URL: flags.url,
  ASSIZE_KEY: flags.key,
  ...Object.fromEntries(certificateNames.map((name) => [certificateSettings[name], flags[name]])),
});

function readEnv(named: string | undefined): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(named ?? defaultConfigFile(), 'utf8'));
  } catch (error) {
    if (named === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
