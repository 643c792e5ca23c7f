import type { AddedAmount, CounterCell } from '../schemas/counter-cells.ts';

export const cellOf = ({ slice, amount }: AddedAmount): CounterCell => ({
  slices: [slice, amount],
  latest: slice,
  overflow: null,
  resets: 0,
});

/** Changes the cell itself, which must be the scope's own: a copy for every action would be most of what counting costs. */
export function addInPlace(cell: CounterCell, { slice, amount, first }: AddedAmount): void {
  const slices = cell.slices as number[];
  let ended = 0;
  while (ended < slices.length && (slices[ended] as number) < first) ended += 2;
  if (ended > 0) slices.splice(0, ended);
  let after = slices.length;
  while (after > 0 && (slices[after - 2] as number) > slice) after -= 2;
  if (after > 0 && slices[after - 2] === slice) slices[after - 1] = (slices[after - 1] as number) + amount;
  else slices.splice(after, 0, slice, amount);
  const changed = cell as { latest: number };
  if (slice > cell.latest) changed.latest = slice;
}
