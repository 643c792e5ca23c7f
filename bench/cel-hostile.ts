import { hostileCases, runHostile } from '../test/cel/hostile/cases.ts';

/** Prints the time and memory one evaluation's budget can be made to cost, by policies and by input written for it. */
export function printHostile(): void {
  console.log('\nms to spend  check ms  MB held  outcome                 case');
  for (const hostile of hostileCases()) {
    const { checkMs, runMs, heapMb, outcome } = runHostile(hostile);
    const numbers = [
      runMs.toFixed(1).padStart(11),
      checkMs.toFixed(1).padStart(9),
      heapMb.toFixed(1).padStart(8),
    ];
    console.log(`${numbers.join(' ')}  ${outcome.padEnd(22)}  ${hostile.name}`);
  }
}
