const key = 'scroll';

const keep = () => history.replaceState({ ...history.state, [key]: scrollY }, '');

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
    timer = setTimeout(keep, settledMs);
  });
  addEventListener('popstate', ({ state }) => {
    clearTimeout(timer);
    stop();
    stop = reach(Number((state as Record<string, unknown> | null)?.[key] ?? 0));
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
