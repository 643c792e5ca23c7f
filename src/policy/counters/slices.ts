/** Pairs of slice and amount, as `CounterCell` has them. */
type Slices = readonly number[];

/** Where those begin that still count. */
function liveStart(slices: Slices, first: number): number {
  let place = 0;
  while (place < slices.length && (slices[place] as number) < first) place += 2;
  return place;
}

/** With so much more in one slice, and without those before `first`. A slice that comes to 0 is left out. */
export function withAmount(slices: Slices, slice: number, amount: number, first: number): number[] {
  const live = slices.slice(liveStart(slices, first));
  let after = live.length;
  while (after > 0 && (live[after - 2] as number) > slice) after -= 2;
  if (after === 0 || live[after - 2] !== slice) {
    if (after === live.length) live.push(slice, amount);
    else live.splice(after, 0, slice, amount);
    return live;
  }
  const sum = (live[after - 1] as number) + amount;
  if (sum === 0) live.splice(after - 2, 2);
  else live[after - 1] = sum;
  return live;
}

/** The sum of those that still count. */
export function total(slices: Slices, first: number): number {
  let sum = 0;
  for (let place = 0; place < slices.length; place += 2)
    if ((slices[place] as number) >= first) sum += slices[place + 1] as number;
  return sum;
}
