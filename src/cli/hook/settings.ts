/**
 * The part of Claude Code's settings that hooks stand in: events, each with groups of handlers behind a matcher
 * (https://code.claude.com/docs/en/hooks, "Configuration"). Everything else in the file is kept as it is.
 */
interface ClaudeSettings {
  hooks?: Record<string, HookGroup[]>;
  [field: string]: unknown;
}
interface HookGroup {
  matcher?: string;
  hooks: HookHandler[];
  [field: string]: unknown;
}
export interface HookHandler {
  type: string;
  command?: string;
  /** Seconds after which Claude Code gives the hook up. */
  timeout?: number;
  /** The effect of a hook that cannot start or crashes; Claude Code 2.1.295 and newer. */
  onFailure?: 'block';
  [field: string]: unknown;
}

/** Whose hooks they are, and the events that are hooked, each with its matcher; null for those that take none. */
interface Hooked {
  agent: string;
  matchers: Readonly<Record<string, string | null>>;
}

export const claudeCodeHooks: Hooked = {
  agent: 'claude-code',
  matchers: {
    PreToolUse: '*',
    PostToolUse: '*',
    PostToolUseFailure: '*',
    UserPromptSubmit: null,
    SubagentStop: null,
    SessionEnd: null,
  },
};

/** The settings with our handler behind every event it serves, in the place of an older one of ours. */
export function withHook(
  settings: ClaudeSettings,
  handler: HookHandler,
  { agent, matchers }: Hooked = claudeCodeHooks,
): ClaudeSettings {
  const isOurs = ours(agent);
  const hooks = { ...settings.hooks };
  for (const [event, matcher] of Object.entries(matchers)) {
    const groups = hooks[event] ?? [];
    const at = groups.findIndex((group) => group.hooks.some(isOurs));
    const before = without(groups.slice(0, at === -1 ? groups.length : at), isOurs);
    const after = at === -1 ? [] : without(groups.slice(at), isOurs);
    hooks[event] = [...before, { ...(matcher !== null && { matcher }), hooks: [handler] }, ...after];
  }
  return { ...settings, hooks };
}

/** The settings without any handler of ours, and without what is empty then. */
export function withoutHook(
  settings: ClaudeSettings,
  { agent }: Pick<Hooked, 'agent'> = claudeCodeHooks,
): ClaudeSettings {
  const isOurs = ours(agent);
  const { hooks, ...rest } = settings;
  if (!hooks || !Object.values(hooks).some((groups) => groups.some((group) => group.hooks.some(isOurs)))) {
    return settings;
  }
  const left = Object.entries(hooks)
    .map(([event, groups]) => [event, without(groups, isOurs)] as const)
    .filter(([, groups]) => groups.length > 0);
  return left.length > 0 ? { ...settings, hooks: Object.fromEntries(left) } : rest;
}

/** Throws Error, naming the place, for settings that are of another form: what is not understood is not rewritten. */
export function checkSettings(value: unknown): ClaudeSettings {
  if (!isObject(value)) throw new Error('it holds no JSON object');
  const { hooks = {} } = value;
  if (!isObject(hooks)) throw new Error('/hooks is no object');
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) throw new Error(`/hooks/${event} is no array`);
    for (const [at, group] of groups.entries()) {
      if (!isObject(group) || !Array.isArray(group.hooks) || !group.hooks.every(isObject)) {
        throw new Error(`/hooks/${event}/${at} has no array of hooks`);
      }
    }
  }
  return value as ClaudeSettings;
}

/** Recognised by what it runs, wherever that lies and however it was asked to behave. */
export const ours =
  (agent: string) =>
  ({ command }: { command?: unknown }): boolean =>
    new RegExp(`(?:assize|main\\.js)\\S* hook ${agent}(?:\\s|$)`).test(String(command));

const without = (groups: readonly HookGroup[], isOurs: (handler: HookHandler) => boolean): HookGroup[] =>
  groups.flatMap((group) => {
    const hooks = group.hooks.filter((handler) => !isOurs(handler));
    return hooks.length > 0 || group.hooks.length === 0 ? [{ ...group, hooks }] : [];
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings in which an event has a flat list of commands: Copilot, Cursor, VS Code, Kiro and Windsurf. */
interface FlatSettings {
  hooks?: Record<string, FlatEntry[]>;
  [field: string]: unknown;
}
type FlatEntry = Readonly<Record<string, unknown>>;

/** Copilot calls the command `bash`. */
const isOursIn = (agent: string) => {
  const isOurs = ours(agent);
  return ({ command, bash }: FlatEntry): boolean => isOurs({ command: command ?? bash });
};

/** The settings with our entry behind each of the events, in the place of an older one of ours. */
export function withEntry(
  { hooks, ...settings }: FlatSettings,
  agent: string,
  events: readonly string[],
  entry: FlatEntry,
): FlatSettings {
  const isOurs = isOursIn(agent);
  const after: Record<string, FlatEntry[]> = { ...hooks };
  for (const event of events) {
    const entries = after[event] ?? [];
    after[event] = entries.some(isOurs)
      ? entries.map((one) => (isOurs(one) ? entry : one))
      : [...entries, entry];
  }
  return { ...settings, hooks: after };
}

/** The settings without any entry of ours, and without what is empty then. */
export function withoutEntry(settings: FlatSettings, agent: string): FlatSettings {
  const isOurs = isOursIn(agent);
  const { hooks = {} } = settings;
  if (!Object.values(hooks).some((entries) => entries.some(isOurs))) return settings;
  const left = Object.entries(hooks)
    .map(([event, entries]) => [event, entries.filter((entry) => !isOurs(entry))] as const)
    .filter(([, entries]) => entries.length > 0);
  return { ...settings, hooks: Object.fromEntries(left) };
}

/** Throws Error, naming the place, for settings that are of another form: what is not understood is not rewritten. */
export function checkFlat(value: unknown): FlatSettings {
  if (!isObject(value)) throw new Error('it holds no JSON object');
  const { hooks = {} } = value;
  if (!isObject(hooks)) throw new Error('/hooks is no object');
  for (const [event, entries] of Object.entries(hooks)) {
    if (!Array.isArray(entries) || !entries.every(isObject)) {
      throw new Error(`/hooks/${event} is no array of commands`);
    }
  }
  return value as FlatSettings;
}

/** The part of OpenClaw's settings that plugins stand in. */
interface PluginSettings {
  plugins?: { allow?: string[]; entries?: Record<string, unknown>; [field: string]: unknown };
  [field: string]: unknown;
}

/** The settings with our plugin enabled. OpenClaw gives it prompts only where it may access conversations. */
export function withPlugin({ plugins = {}, ...settings }: PluginSettings): PluginSettings {
  const { allow } = plugins;
  const entries = {
    ...plugins.entries,
    assize: { enabled: true, hooks: { allowConversationAccess: true } },
  };
  const allowed = allow && { allow: [...allow.filter((id) => id !== 'assize'), 'assize'] };
  return { ...settings, plugins: { ...plugins, ...allowed, entries } };
}

/** The settings without our plugin. */
export function withoutPlugin(settings: PluginSettings): PluginSettings {
  const { plugins } = settings;
  if (plugins?.entries?.assize === undefined) return settings;
  const { assize: _, ...entries } = plugins.entries;
  const allow = plugins.allow && { allow: plugins.allow.filter((id) => id !== 'assize') };
  return { ...settings, plugins: { ...plugins, ...allow, entries } };
}

/** Throws Error, naming the place, for settings that are of another form: what is not understood is not rewritten. */
export function checkPlugins(value: unknown): PluginSettings {
  if (!isObject(value)) throw new Error('it holds no JSON object');
  const { plugins = {} } = value;
  if (!isObject(plugins)) throw new Error('/plugins is no object');
  const { entries = {}, allow = [] } = plugins;
  if (!isObject(entries)) throw new Error('/plugins/entries is no object');
  if (!Array.isArray(allow)) throw new Error('/plugins/allow is no array');
  return value as PluginSettings;
}
