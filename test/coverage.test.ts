import t from 'tap';
import { reachedLines } from '../scripts/develop/coverage.mjs';
import { withProbes } from '../scripts/develop/probes.mjs';

/** Lines of code that say `never`, and those that were not reached when it ran. */
function run(code: string): { never: number[]; missing: number[]; result: unknown } {
  const probed = withProbes(code, 'sample');
  const bytes = new Uint8Array(code.length + 1);
  const result = new Function('globalThis', probed.code)({ probesOf: () => bytes });
  const lines = code.split('\n').map((text, at) => ({ text, number: at + 1 }));
  const reached = reachedLines(code, probed.regions, bytes);
  return {
    never: lines.filter(({ text }) => text.includes('never')).map(({ number }) => number),
    missing: lines
      .filter(({ text, number }) => /\w/.test(text) && !reached.has(number))
      .map(({ number }) => number),
    result,
  };
}

const samples: Record<string, [code: string, result: unknown]> = {
  functions: [
    `const used = (a) => a + 1;
function named(b) {
  return b;
}
function never() {
  return 'never';
}
const unused = [(a) =>
  a + 'never'
];
class Some {
  value() {
    return named(2);
  }
  get never() {
    return 'never';
  }
}
return used(1) + new Some().value();`,
    4,
  ],
  branches: [
    `const list = [1, 2, 3];
let sum = 0;
for (const one of list)
  if (one > 5)
    sum += 'never';
  else if (one > 1)
    sum += one;
  else sum += 10;
while (sum > 100)
  sum -= 'never'.length;
const [text] = [sum > 10
  ? 'many' :
  'never'
];
const [chosen] = [text ||
  'never'
];
const [both] = [sum > 100 &&
  'never'
];
const [made] = [sum ?? (() =>
  'never')
];
switch (chosen) {
  case 'few': // never
    return 'never';
  case 'many': {
    sum += 1;
    break;
  }
  default: // never
    return 'never';
}
return [sum, both, made];`,
    [16, false, 15],
  ],
  'what ends early': [
    `function find(list) {
  for (const one of list) {
    if (one > 1) return one;
    continue;
    return 'never';
  }
  return 'never';
}
function failing(a) {
  if (a) throw new Error('no');
  function inner() { return 'never'; }
  return 'never' + inner;
}
function caught() {
  try {
    failing(true);
  } catch {
    return 'caught';
  } finally {
    find([2]);
  }
  return 'never';
}
function whole() {
  try {
    find([2]);
  } catch {
    return 'never';
  }
  return 1;
}
return [find([1, 2]), caught(), whole()];`,
    [2, 'caught', 1],
  ],
};

for (const [what, [code, result]] of Object.entries(samples)) {
  t.test(`coverage finds what was not reached, and changes no result: ${what}`, async (t) => {
    const ran = run(code);
    t.strictSame(ran.result, result);
    t.strictSame(ran.missing, ran.never);
  });
}
