import type { CounterCell, CounterCells, CounterWrite } from '../../schemas/counter-cells.ts';
import type { ActionIds } from './action-ids.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { withAmount } from './slices.ts';
import { endOf } from './tally.ts';
import { firstSlice, sliceAt } from './window.ts';

// Reserve, then settle: what an action added is kept under the action's id until its RESULT replaces it.

const reservationName = (id: string): string => JSON.stringify(['reserved', id]);

/** What the action added, and when. `cell`: as it is after that. */
export const reservation = (
  { identity, over, counting }: CompiledCounter,
  cell: CounterCell,
  amount: number,
  at: number,
  { id }: ActionIds,
): CounterWrite => ({
  counter: identity,
  scope: over,
  name: reservationName(id),
  becomes: {
    slices: [sliceAt(counting.window, at), amount],
    latest: cell.latest,
    overflow: null,
    resets: cell.resets,
  },
  endsAt: endOf(counting, at),
});

/** Whether the action of a RESULT has reserved something that is not settled yet. */
export const isReserved = (counter: CompiledCounter, cells: CounterCells, { resultOf }: ActionIds): boolean =>
  resultOf !== null &&
  (cells.find(counter.identity, counter.over, reservationName(resultOf))?.slices.length ?? 0) > 0;

/** The amount takes the place of the reserved one, in its slice of time; what a reset has set to 0 stays there. */
export function settlement(
  { identity, over, counting }: CompiledCounter,
  amount: number,
  cells: CounterCells,
  at: number,
  resultOf: string,
): CounterWrite[] {
  const name = reservationName(resultOf);
  const reserved = cells.find(identity, over, name) as CounterCell;
  const cell = cells.find(identity, over, '');
  const [slice = 0, before = 0] = reserved.slices;
  const written = { counter: identity, scope: over };
  const used = { ...written, name, becomes: { ...reserved, slices: [] }, endsAt: at };
  const first = firstSlice(counting.window, at);
  // Its window may have ended, and the cell with it.
  if (cell === null || reserved.resets !== cell.resets || slice < first) return [used];
  const slices = withAmount(cell.slices, slice, amount - before, first);
  return [used, { ...written, name: '', becomes: { ...cell, slices }, endsAt: endOf(counting, at) }];
}
