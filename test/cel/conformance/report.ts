import { type Outcome, runCore, runExtensions } from './run.ts';

// Prints how much of the JSON core of the CEL conformance suite holds: a table, the failures, and "N of 687" last.
const outcomes = runCore();
const count = (all: readonly Outcome[], holds: (one: Outcome) => boolean): number => all.filter(holds).length;
const passed = ({ failure }: Outcome): boolean => failure === null;

const sections = Map.groupBy(outcomes, ({ core }) => core.section);
console.log('section              passed   of   types   of');
for (const [section, all] of sections) {
  const numbers = [
    count(all, passed),
    all.length,
    count(all, ({ typed }) => typed === true),
    count(all, ({ typed }) => typed !== null),
  ];
  console.log(section.padEnd(20) + numbers.map((number) => String(number).padStart(6)).join(' '));
}
console.log('\nfailures');
for (const { core, failure, typed } of outcomes) {
  if (failure !== null) console.log(`  ${core.path}: ${failure}`);
  else if (typed === false) console.log(`  ${core.path}: another type than ${core.test.type}`);
}
const extensions = runExtensions();
console.log('\nfailures in extensions (macros2, optionals, string_ext, math_ext)');
for (const { core, failure } of extensions) if (failure !== null) console.log(`  ${core.path}: ${failure}`);
console.log(`extensions: ${count(extensions, passed)} of ${extensions.length}`);

const typed = count(outcomes, (one) => one.typed === true);
const comparable = count(outcomes, (one) => one.typed !== null);
console.log(`\ntypes: ${typed} of ${comparable}`);
console.log(`${count(outcomes, passed)} of ${outcomes.length}`);
