import { computed, signal } from '@preact/signals';
import { now } from './clock.ts';

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

const scrollKey = 'scroll';

const keepScroll = () => history.replaceState({ ...history.state, [scrollKey]: scrollY }, '');

/** The events of a person who looks elsewhere. */
const moves = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** A list that loads anew has its height only then: so long it is waited for, in milliseconds. */
const waitMs = 3_000;
const settledMs = 120;

/** Goes back to where a person was on each page of the history. Called once. */
export function restoreScroll(): void {
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => {};
  addEventListener('scroll', () => {
    clearTimeout(timer);
    timer = setTimeout(keepScroll, settledMs);
  });
  addEventListener('popstate', ({ state }) => {
    clearTimeout(timer);
    stop();
    stop = reach(Number((state as Record<string, unknown> | null)?.[scrollKey] ?? 0));
  });
}

/** Scrolls there as soon as the page is long enough, unless the person moves first. Returns what ends the attempt. */
function reach(top: number): () => void {
  const tryIt = () => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 2) stop();
  };
  const observer = new ResizeObserver(tryIt);
  const timer = setTimeout(() => stop(), waitMs);
  function stop() {
    observer.disconnect();
    clearTimeout(timer);
    for (const move of moves) removeEventListener(move, stop);
  }
  for (const move of moves) addEventListener(move, stop, { passive: true });
  observer.observe(document.body);
  return stop;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const periodsMs = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;
export type Period = keyof typeof periodsMs;
export const periods = Object.keys(periodsMs) as Period[];

/** Times of the API, of what is shown. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** A time that the address names, when it is one. */
function timeInUrl(name: string): string | undefined {
  const at = Date.parse(query.value.get(name) ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** By the minute: what is shown moves once a minute, not every second. */
const minuteBefore = (ms: number): string =>
  new Date(Math.floor(now.value / 60_000) * 60_000 - ms).toISOString();

/** The period in the address: one up to now, or two times. */
export function rangeInUrl(): TimeRange {
  const period = choiceInUrl('period', periods);
  if (period) return { from: minuteBefore(periodsMs[period]) };
  return { from: timeInUrl('from'), to: timeInUrl('to') };
}
