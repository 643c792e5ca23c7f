import { hostileCases, runHostile } from '../test/cel/hostile/cases.ts';

// Time and memory one evaluation's budget can be made to cost, by policies and by input written for it.

console.log('ms to spend  check ms  MB held  outcome                 case');
for (const hostile of hostileCases()) {
  const { checkMs, runMs, heapMb, outcome } = runHostile(hostile);
  const numbers = [
    runMs.toFixed(1).padStart(11),
    checkMs.toFixed(1).padStart(9),
    heapMb.toFixed(1).padStart(8),
  ];
  console.log(`${numbers.join(' ')}  ${outcome.padEnd(22)}  ${hostile.name}`);
}
