import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Exit, exitCodes } from '../exit.ts';
import { defaultConfigFile, pinnedConfig, programWords, serverOf } from '../hook/command-line.ts';
import { changeFile } from '../hook/install.ts';
import { type Io, printable } from '../io.ts';
import { type McpClient, type McpClientName, mcpClients } from './clients.ts';
import { type Rewrite, rewriteJson, rewriteToml } from './config-text.ts';

export interface McpPlace {
  project?: boolean;
  file?: string;
  /** Only these servers. */
  server?: readonly string[];
  yes?: boolean;
  dryRun?: boolean;
}

export interface McpInstallFlags extends McpPlace {
  onHold?: 'deny' | 'wait';
  waitSeconds?: number;
  mask?: boolean;
  config?: string;
  program?: string;
}

/** Puts the proxy in front of the servers of a client. */
export async function installProxy(client: McpClientName, flags: McpInstallFlags, io: Io): Promise<void> {
  const config = pinnedConfig({
    ...(flags.config !== undefined && { config: flags.config }),
    ...(flags.project && { project: true }),
  });
  // A path of this machine means nothing to the others who read a shared file.
  const program = flags.program !== undefined ? [flags.program] : flags.project ? ['assize'] : programWords();
  const options = [
    ...(flags.onHold === 'wait' ? ['--on-hold', 'wait'] : []),
    ...(flags.waitSeconds === undefined ? [] : ['--wait-seconds', String(flags.waitSeconds)]),
    ...(flags.mask ? ['--mask'] : []),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
  ];
  // A file that cannot be read is found before anything is written.
  const hasKey = serverOf({ ...(config !== undefined && { config }) }).key !== undefined;
  const taken = new Map<string, string>();
  await changeServers(client, flags, io, (name, words) => {
    const server = unwrapped(words) ?? words;
    return [...program, 'mcp', 'wrap', '--name', ruleName(name, taken), ...options, '--', ...server];
  });
  if (!hasKey)
    io.stderr.write(
      `assize: no key yet: write ASSIZE_URL and ASSIZE_KEY into ${config ?? defaultConfigFile()}\n`,
    );
}

/** Takes it away again. */
export const uninstallProxy = (client: McpClientName, flags: McpPlace, io: Io): Promise<void> =>
  changeServers(client, flags, io, (_, words) => unwrapped(words));

async function changeServers(
  client: McpClientName,
  { project, file, server: only, yes = false, dryRun = false }: McpPlace,
  io: Io,
  rewrite: Rewrite,
): Promise<void> {
  const { title, places, own, project: shared }: McpClient = mcpClients[client];
  const { env } = process;
  const at = file ?? (project ? shared : own(env));
  if (at === null) throw new Exit(exitCodes.wrongUse, `--project: ${title} has no settings of a project`);
  const path = resolve(at);
  if (!existsSync(path))
    throw new Exit(exitCodes.failed, `${path} is not there: ${title} has no servers in it`);
  const found: string[] = [];
  const chosen: Rewrite = (name, words) => {
    found.push(name);
    return only === undefined || only.includes(name) ? rewrite(name, words) : null;
  };
  const change = (text: string | null) => {
    if (text === null) return null;
    return places === null ? rewriteToml(text, chosen) : rewriteJson(text, places, chosen);
  };
  await changeFile({ file: path, change, yes, dryRun }, io);
  const missing = only?.filter((name) => !found.includes(name)) ?? [];
  if (missing.length > 0)
    throw new Exit(
      exitCodes.failed,
      `${path} starts no server ${missing.map(printable).join(', ')}; it starts ${found.map(printable).join(', ') || 'none'}`,
    );
  if (found.length === 0) io.stderr.write(`assize: ${path} starts no server\n`);
}

/** The command behind the proxy; null when there is no proxy. */
function unwrapped(words: readonly string[]): readonly string[] | null {
  const at = words.findIndex((_, index) =>
    ['mcp', 'wrap', '--name'].every((word, next) => words[index + next] === word),
  );
  const end = words.indexOf('--', at);
  return at > 0 && end > at ? words.slice(end + 1) : null;
}

/** The name in rules of a server with this name in the settings. Each has its own. */
function ruleName(name: string, taken: Map<string, string>): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/_{2,}/g, '-')
      .replace(/^[^A-Za-z0-9]+|[-_.]+$/g, '')
      .slice(0, 56) || 'server';
  for (let number = 1; ; number++) {
    const one = number === 1 ? plain : `${plain}-${number}`;
    // The same server may stand in several projects.
    if ((taken.get(one) ?? name) !== name) continue;
    taken.set(one, name);
    return one;
  }
}
