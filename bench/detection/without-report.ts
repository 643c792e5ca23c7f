import { createDetector } from '../../src/detectors/index.ts';
import { classes, recallByClass } from './classes.ts';

/** A recogniser whose absence makes no class worse by more is not needed. */
const LEAST = 0.002;
/** Functions that return where to go on: without them nothing is read. */
const STEPS = /#(?:group|readAt|scanText)$/;

/** Prints the classes that each recogniser's absence makes worse; last, those recognisers that no class misses. */
export async function printWithout(all: ReadonlySet<string>): Promise<void> {
  const inputs = classes();
  const before = await recallByClass(createDetector(), inputs);
  const needless: string[] = [];
  for (const name of all) {
    if (STEPS.test(name)) continue;
    globalThis.without = { off: name, all };
    const now = await recallByClass(createDetector(), inputs);
    const losses = [...before].flatMap(([of, recall]) => {
      const loss = recall - (now.get(of) ?? 0);
      return loss > LEAST ? [`${of} -${loss.toFixed(3)}`] : [];
    });
    if (losses.length === 0) needless.push(name);
    else console.log(`${name}: ${losses.join(', ')}`);
  }
  console.log(`\nno class of the benchmark misses\n  ${needless.join('\n  ')}`);
}
