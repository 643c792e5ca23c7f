import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How far an element may be out of sight, in CSS pixels: its own padding. */
const slack = 8;

export interface Seen {
  /** Whether all of the element was in sight, from its top to its end. */
  isSeen: boolean;
  /** Brings the first part into sight that was not. */
  showNext(): void;
}

/**
 * Follows how far an element was read: the part from its top that was in the window, above `bar`. Jumping to its end leaves
 * what lies between unread. Another `key` begins anew.
 */
export function useSeen(
  element: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  key: string,
): Seen {
  const [seen, setSeen] = useState({ key, isSeen: false });
  const reached = useRef({ key, pixels: 0 });
  const frame = () => {
    const top = element.current?.getBoundingClientRect().top ?? 0;
    return { top, end: Math.min(innerHeight, bar.current?.getBoundingClientRect().top ?? innerHeight) };
  };

  useLayoutEffect(() => {
    reached.current = { key, pixels: 0 };
    const look = () => {
      if (!element.current) return;
      const { top, end } = frame();
      const { pixels } = reached.current;
      if (-top <= pixels + slack) reached.current.pixels = Math.max(pixels, end - top);
      const isSeen = reached.current.pixels + slack >= element.current.offsetHeight;
      setSeen((before) => (before.key === key && before.isSeen === isSeen ? before : { key, isSeen }));
    };
    // A part that is folded out later, or comes late, must be read as well.
    const watch = new ResizeObserver(look);
    if (element.current) watch.observe(element.current);
    if (bar.current) watch.observe(bar.current);
    addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    look();
    return () => {
      watch.disconnect();
      removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
    };
  }, [key]);

  return {
    isSeen: seen.key === key && seen.isSeen,
    showNext() {
      const { top } = frame();
      scrollBy({ top: top + reached.current.pixels - slack * 4, behavior: 'instant' });
    },
  };
}
