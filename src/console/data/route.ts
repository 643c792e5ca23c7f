import { computed, signal } from '@preact/signals';

const root = '/console';
const url = signal(new URL(location.href));

/** Resolves with whether this page may be left. */
type Guard = () => Promise<boolean>;
const guards = new Set<Guard>();

/** Asks before another page is opened, until the function that it returns is called. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

async function mayLeave(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}

addEventListener('popstate', () => {
  const next = new URL(location.href);
  if (guards.size === 0 || next.pathname === url.value.pathname) {
    url.value = next;
    return;
  }
  // The browser is there already: it comes back until the answer is known.
  history.pushState(null, '', url.value);
  void open(next.href);
});

/** The path below the console, in parts: `/console/sessions/x` is `['sessions', 'x']`. */
export const segments = computed(() =>
  url.value.pathname.slice(root.length).split('/').filter(Boolean).map(decode),
);
export const query = computed(() => url.value.searchParams);

/** The page of a list that the address names, from 1. */
export const pageInUrl = (): number => Math.max(1, Number.parseInt(query.value.get('page') ?? '1', 10) || 1);

/** One of the choices, when the address names it. */
export function choiceInUrl<T extends string>(name: string, choices: readonly T[]): T | undefined {
  const asked = query.value.get(name);
  return choices.find((choice) => choice === asked);
}

export const to = (...path: string[]): string => `${root}/${path.map(encodeURIComponent).join('/')}`;

export function go(href: string): void {
  const isSamePage = new URL(href, location.href).pathname === url.value.pathname;
  if (guards.size > 0 && !isSamePage) void open(href);
  else move(href);
}

async function open(href: string): Promise<void> {
  if (await mayLeave()) move(href);
}

function move(href: string): void {
  history.pushState(null, '', href);
  url.value = new URL(location.href);
  scrollTo(0, 0);
}

/** Changes the query of this page; an empty value leaves its parameter out. What a person chooses is kept in the history. */
export function setQuery(changes: Record<string, string | null>, { keep = true } = {}): void {
  const next = new URL(url.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.searchParams.set(name, value);
    else next.searchParams.delete(name);
  }
  if (next.href === url.value.href) return;
  if (keep) history.pushState(null, '', next);
  else history.replaceState(null, '', next);
  url.value = next;
}

/** Takes what the fragment says out of the address, so that it is neither shared nor kept in the history. */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value === null) return null;
  history.replaceState(null, '', location.pathname + location.search);
  url.value = new URL(location.href);
  return value;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
