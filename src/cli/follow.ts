import { setTimeout as pause } from 'node:timers/promises';
import type { Output } from './output.ts';

/** How often is looked, in milliseconds. */
const everyMs = 500;
/** The most items that one response carries. */
export const mostAtOnce = 200;
/** How many past items are shown first. */
export const usualLast = 10;

/** A log that the API returns in parts. */
interface Followed<Item> {
  /** Up to `size` items that follow those of the call before; the first call returns the last ones. */
  next(size: number): Promise<readonly Item[]>;
  lineOf(item: Item, out: Output): Promise<string> | string;
}

/** Prints what happens as it happens. Ctrl-C ends it, and that is no failure. `reachEnd`: without `follow`, all pages up to the end. */
export async function followLog<Item extends object>(
  out: Output,
  { next, lineOf }: Followed<Item>,
  {
    first,
    follow = true,
    reachEnd = false,
  }: { first: number; follow: boolean | undefined; reachEnd?: boolean },
): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    let items = await next(first);
    if (follow) out.note('Following; Ctrl-C ends it.');
    for (;;) {
      for (const item of items) out.line(item, out.json ? '' : await lineOf(item, out));
      const isEnd = !reachEnd || items.length < mostAtOnce;
      if (out.unread() || (!follow && isEnd)) return;
      if (items.length < mostAtOnce) await pause(everyMs, undefined, { signal: stop.signal });
      items = await next(mostAtOnce);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
