import { homedir } from 'node:os';
import { join } from 'node:path';

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
