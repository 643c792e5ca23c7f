import { ours } from './claude-settings.ts';

/** Settings in which an event has a flat list of commands: Copilot, Cursor, VS Code, Kiro and Windsurf. */
export interface FlatSettings {
  hooks?: Record<string, FlatEntry[]>;
  [field: string]: unknown;
}
export type FlatEntry = Readonly<Record<string, unknown>>;

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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
