const bars = '▁▂▃▄▅▆▇█';
/** A graph is at most so wide: further values are left out at its beginning. */
const widest = 72;

/** One character for each value, as high as its share of the highest; a space for none. */
export function sparkline(values: readonly number[]): string {
  const shown = values.slice(-widest);
  const highest = Math.max(...shown, 1);
  return shown
    .map((value) => (value === 0 ? ' ' : bars[Math.ceil((value / highest) * bars.length) - 1]))
    .join('');
}
