import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Exit, exitCodes } from '../exit.ts';
import { defaultConfigFile, pinnedConfig, programWords, serverOf } from '../hook/command-line.ts';
import { changeFile } from '../hook/install.ts';
import { type Io, printable } from '../io.ts';

/** A client of MCP servers, and where it keeps the commands that start them. */
export interface McpClient {
  title: string;
  /** Where the servers are in the file; null for TOML. */
  places: readonly (readonly string[])[] | null;
  own: (env: NodeJS.ProcessEnv) => string;
  /** Null where a project has none. */
  project: string | null;
}

const home = (...parts: string[]): string => join(homedir(), ...parts);

/** The folder of a program's settings: what VS Code and Claude Desktop take. */
function settingsFolder(env: NodeJS.ProcessEnv, ...parts: string[]): string {
  const { platform } = process;
  if (platform === 'darwin') return home('Library', 'Application Support', ...parts);
  if (platform === 'win32') return join(env.APPDATA ?? home('AppData', 'Roaming'), ...parts);
  return join(env.XDG_CONFIG_HOME ?? home('.config'), ...parts);
}

const mcpServers = [['mcpServers']] as const;

/** As their vendors document it in November 2026; docs/mcp-proxy.md names the pages. */
export const mcpClients = {
  'claude-code': {
    title: 'Claude Code',
    // The servers for all projects, then those of each project.
    places: [['mcpServers'], ['projects', '*', 'mcpServers']],
    own: (env) => join(env.CLAUDE_CONFIG_DIR ?? home(), '.claude.json'),
    project: '.mcp.json',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    places: mcpServers,
    own: (env) => settingsFolder(env, 'Claude', 'claude_desktop_config.json'),
    project: null,
  },
  cursor: {
    title: 'Cursor',
    places: mcpServers,
    own: () => home('.cursor', 'mcp.json'),
    project: '.cursor/mcp.json',
  },
  vscode: {
    title: 'VS Code',
    places: [['servers']],
    own: (env) => settingsFolder(env, 'Code', 'User', 'mcp.json'),
    project: '.vscode/mcp.json',
  },
  codex: {
    title: 'Codex',
    places: null,
    own: (env) => join(env.CODEX_HOME ?? home('.codex'), 'config.toml'),
    project: '.codex/config.toml',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    places: mcpServers,
    own: () => home('.gemini', 'settings.json'),
    project: '.gemini/settings.json',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    places: mcpServers,
    own: (env) => join(env.COPILOT_HOME ?? home('.copilot'), 'mcp-config.json'),
    project: '.github/mcp.json',
  },
  opencode: {
    title: 'opencode',
    places: [['mcp']],
    own: (env) => join(env.XDG_CONFIG_HOME ?? home('.config'), 'opencode', 'opencode.json'),
    project: 'opencode.json',
  },
  windsurf: {
    title: 'Windsurf',
    places: mcpServers,
    own: () => home('.codeium', 'windsurf', 'mcp_config.json'),
    project: null,
  },
  zed: {
    title: 'Zed',
    places: [['context_servers']],
    own: () => home('.config', 'zed', 'settings.json'),
    project: '.zed/settings.json',
  },
  cline: {
    title: 'Cline',
    places: mcpServers,
    own: (env) =>
      settingsFolder(
        env,
        'Code',
        'User',
        'globalStorage',
        'saoudrizwan.claude-dev',
        'settings',
        'cline_mcp_settings.json',
      ),
    project: null,
  },
  'cline-cli': {
    title: 'Cline CLI',
    places: mcpServers,
    own: () => home('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    project: null,
  },
} as const satisfies Readonly<Record<string, McpClient>>;

export type McpClientName = keyof typeof mcpClients;

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

/** The words of the command that starts a server; null leaves the server as it is. */
export type Rewrite = (name: string, words: readonly string[]) => readonly string[] | null;

/** A part of a text, and what stands there from now on. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

// Settings of programs have comments, and an order that somebody chose: only the commands in them are written again.

const applied = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((left, { start, end, text: put }) => left.slice(0, start) + put + left.slice(end), text);

/** A value of a JSON text with comments, and where it stands. */
interface Node {
  start: number;
  end: number;
  /** The value of a string, number, true, false or null. */
  value: unknown;
  /** The members of an object; null for other values. */
  members: Map<string, Node> | null;
  /** The items of a list; null for other values. */
  items: Node[] | null;
}

/**
 * Rewrites the commands of the servers in a JSON text, which may have comments. `places`: where the objects with the servers are; `*` is
 * every member. Throws Error for a text that cannot be read.
 */
export function rewriteJson(text: string, places: readonly (readonly string[])[], rewrite: Rewrite): string {
  const root = new JsonText(text).read();
  const edits = places
    .flatMap((place) =>
      place.reduce<Node[]>((nodes, key) => nodes.flatMap((node) => below(node, key)), [root]),
    )
    .flatMap(({ members }) => [...(members ?? [])])
    .flatMap(([name, server]) => editsOf(name, server, rewrite));
  return applied(text, edits);
}

function below({ members }: Node, key: string): Node[] {
  if (key === '*') return [...(members?.values() ?? [])];
  const member = members?.get(key);
  return member ? [member] : [];
}

/** `command` and `args`; `command` alone, as a list (opencode); or both in an object (earlier versions of Zed). */
function editsOf(name: string, server: Node, rewrite: Rewrite): Edit[] {
  const command = server.members?.get('command');
  if (!command) return [];
  if (command.items) {
    const words = rewrite(name, textsOf(command));
    return words ? [put(command, words)] : [];
  }
  const nested = command.members?.get('path');
  const program = nested ?? command;
  const args = (nested ? command : server).members?.get('args');
  if (typeof program.value !== 'string') throw new Error(`the command of ${name} is no text`);
  const words = rewrite(name, [program.value, ...(args ? textsOf(args) : [])]);
  if (!words) return [];
  const [first, ...others] = words;
  if (args) return [put(program, first), put(args, others)];
  return [{ ...put(program, first), text: `${JSON.stringify(first)}, "args": ${listOf(others)}` }];
}

const listOf = (words: readonly string[]): string =>
  `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;

const put = ({ start, end }: Node, value: string | readonly string[] | undefined): Edit => ({
  start,
  end,
  text: typeof value === 'string' ? JSON.stringify(value) : listOf(value ?? []),
});

function textsOf({ items }: Node): string[] {
  const texts = items?.map(({ value }) => value) ?? [];
  if (items && texts.every((text) => typeof text === 'string')) return texts;
  throw new Error('the arguments of a server are no list of texts');
}

class JsonText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Node {
    const node = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) throw this.#mistake();
    return node;
  }

  #value(): Node {
    this.#skip();
    const start = this.#at;
    const node: Node = { start, end: start, value: undefined, members: null, items: null };
    if (this.#takes('{')) node.members = this.#members();
    else if (this.#takes('[')) node.items = this.#items();
    else node.value = this.#scalar();
    return { ...node, end: this.#at };
  }

  #members(): Map<string, Node> {
    const members = new Map<string, Node>();
    for (this.#skip(); !this.#takes('}'); this.#next('}')) {
      const key = this.#scalar();
      this.#skip();
      // A program may read either of two.
      if (typeof key !== 'string' || members.has(key) || !this.#takes(':')) throw this.#mistake();
      members.set(key, this.#value());
    }
    return members;
  }

  #items(): Node[] {
    const items: Node[] = [];
    for (this.#skip(); !this.#takes(']'); this.#next(']')) items.push(this.#value());
    return items;
  }

  /** After a member: a comma, which may also be the last one, or the end. */
  #next(end: string): void {
    this.#skip();
    if (this.#takes(',')) this.#skip();
    else if (this.#text[this.#at] !== end) throw this.#mistake();
  }

  #scalar(): unknown {
    const scalar = /"(?:[^"\\\n]|\\.)*"|[-+.\w]+/y;
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#text)?.[0];
    if (found === undefined) throw this.#mistake();
    this.#at += found.length;
    return JSON.parse(found);
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    const space = /(?:\s|\ufeff|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }

  #mistake(): Error {
    return new Error(`it is not JSON at line ${this.#text.slice(0, this.#at).split('\n').length}`);
  }
}

const tomlText = `"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'`;
const tomlServer = /^[ \t]*\[mcp_servers\.(?:"([^"\\\n]+)"|'([^'\n]+)'|([\w-]+))\][ \t]*(?:#.*)?$/gm;
const tomlTable = /^[ \t]*\[/gm;
const tomlCommand = new RegExp(`^([ \\t]*command[ \\t]*=[ \\t]*)(${tomlText})`, 'm');
const tomlArgs = new RegExp(`^([ \\t]*args[ \\t]*=[ \\t]*)(\\[(?:\\s|,|#[^\\n]*|${tomlText})*\\])`, 'm');

/** The same for the tables `mcp_servers.NAME` of a TOML text. */
export function rewriteToml(text: string, rewrite: Rewrite): string {
  const edits = [...text.matchAll(tomlServer)].flatMap((header) => {
    const name = header[1] ?? header[2] ?? header[3] ?? '';
    const start = header.index + header[0].length;
    tomlTable.lastIndex = start;
    const end = tomlTable.exec(text)?.index ?? text.length;
    const table = text.slice(start, end);
    const command = tomlCommand.exec(table);
    if (!command) return [];
    const args = tomlArgs.exec(table);
    if (!args && /^[ \t]*args[ \t]*=/m.test(table))
      throw new Error(`the arguments of ${name} are no list of texts`);
    const [given = ''] = [command[2]];
    const others = args?.[2] === undefined ? [] : tomlTexts(args[2]);
    const words = rewrite(name, [tomlValue(given), ...others]);
    if (!words) return [];
    const [first, ...rest] = words;
    const at = (match: RegExpExecArray) => start + match.index + (match[1]?.length ?? 0);
    const program: Edit = {
      start: at(command),
      end: at(command) + given.length,
      text: JSON.stringify(first),
    };
    if (!args) return [{ ...program, text: `${program.text}\nargs = ${listOf(rest)}` }];
    return [program, { start: at(args), end: at(args) + (args[2]?.length ?? 0), text: listOf(rest) }];
  });
  return applied(text, edits);
}

const tomlTexts = (list: string): string[] =>
  [...list.matchAll(new RegExp(`#[^\\n]*|${tomlText}`, 'g'))]
    .map(([word]) => word)
    .filter((word) => !word.startsWith('#'))
    .map(tomlValue);

const tomlValue = (text: string): string => (text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text));
