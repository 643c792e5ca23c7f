import { createDetector, taxonomy } from '../../src/detectors/index.ts';
import { isShort } from '../measure.ts';
import { comparators } from './comparators.ts';
import { type Finder, missing, ratios, readCorpus, score } from './corpora.ts';
import { HELD, harmless } from './harmless.ts';
import { secretSamples } from './secrets.ts';

function ours(sensitivity: 'balanced' | 'strict'): Finder {
  const detector = createDetector({ sensitivity, enabledTags: ['URL'] });
  return (text) =>
    detector
      .scan({ text })
      .detections()
      .map(({ tag, start, end }) => ({ type: tag, start, end }));
}

// names, places and dates in prose are not what patterns find; the corpora's labels for them are left aside
const JUDGED = new Set(
  taxonomy.map(({ tag }) => tag).filter((tag) => tag !== 'PERSON' && tag !== 'DATE_OF_BIRTH'),
);

async function printCorpus(name: string, finders: ReadonlyMap<string, Finder>): Promise<void> {
  const rows = readCorpus(name);
  if (rows === null) {
    console.log(missing(name));
    return;
  }
  const names = [...finders.keys()];
  const scores = await Promise.all(names.map((finder) => score(rows, JUDGED, finders.get(finder) as Finder)));
  console.log(`\n${name}: precision / recall / F1`);
  console.log(['type'.padEnd(26), 'n'.padStart(4), ...names.map((n) => n.padEnd(20))].join(' '));
  const types = [...new Set(scores.flatMap((one) => [...one.keys()]))].sort();
  for (const type of types) {
    const cells = scores.map((one) => {
      const found = one.get(type);
      if (found === undefined) return '-'.padEnd(20);
      const { precision, recall, f1 } = ratios(found);
      return `${precision.toFixed(2)} / ${recall.toFixed(2)} / ${f1.toFixed(3)}`.padEnd(20);
    });
    console.log(
      [type.padEnd(26), String(scores[0]?.get(type)?.expected ?? 0).padStart(4), ...cells].join(' '),
    );
  }
}

async function printSecrets(finders: ReadonlyMap<string, Finder>): Promise<void> {
  console.log('\ngenerated credentials: share reported');
  const samples = secretSamples(20, 20);
  for (const kind of ['by label', 'by prefix', 'near miss']) {
    const chosen = samples.filter((sample) => sample.kind === kind);
    const cells = await Promise.all(
      [...finders].map(async ([name, find]) => {
        let reported = 0;
        for (const { text } of chosen) if ((await find(text)).length > 0) reported++;
        return `${name} ${(reported / chosen.length).toFixed(3)}`;
      }),
    );
    console.log(`${kind.padEnd(12)} n ${String(chosen.length).padStart(4)}  ${cells.join('   ')}`);
  }
}

/** Characters of generated JSON. */
const HARMLESS = isShort ? 100_000 : 20_000_000;
/** What the records have, or what only others report. */
const IGNORED = new Set(['URL', 'UNSCANNED', 'DATE_TIME', 'LOCATION']);

async function printFalseAlarms(finders: ReadonlyMap<string, Finder>): Promise<void> {
  console.log('\nharmless JSON: findings per MB');
  for (const [name, find] of finders) {
    const size = name.startsWith('ours') ? HARMLESS : 1_000_000;
    let found = 0;
    let read = 0;
    for (const { json, kind } of harmless(1, size)) {
      found += (await find(json)).filter(({ type }) => !IGNORED.has(type) && type !== HELD[kind]).length;
      read += json.length;
    }
    console.log(`${name.padEnd(20)} ${(found / (read / 1e6)).toFixed(2)} (${(read / 1e6).toFixed(0)} MB)`);
  }
  const detector = createDetector();
  let found = 0;
  let read = 0;
  for (const { value, json, kind } of harmless(2, HARMLESS)) {
    found += detector
      .scan(value)
      .detections()
      .filter(({ tag }) => !IGNORED.has(tag) && tag !== HELD[kind]).length;
    read += json.length;
  }
  console.log(
    `${'ours, parsed'.padEnd(20)} ${(found / (read / 1e6)).toFixed(2)} (${(read / 1e6).toFixed(0)} MB)`,
  );
}

/** Prints quality beside the comparators, on the corpora and on generated data. */
export async function printQuality(): Promise<void> {
  const others = await comparators();
  const finders = new Map<string, Finder>([
    ['ours', ours('balanced')],
    ['ours, strict', ours('strict')],
    ...others,
  ]);
  const lint = finders.get('@secretlint');
  finders.delete('@secretlint');
  await printCorpus('presidio-research-large', finders);
  await printCorpus('presidio-tests', finders);
  const secrets = new Map<string, Finder>([['ours', ours('balanced')]]);
  const guardrails = finders.get('@openai/guardrails');
  if (guardrails !== undefined) secrets.set('@openai/guardrails', guardrails);
  if (lint !== undefined) secrets.set('@secretlint', lint);
  await printSecrets(secrets);
  await printFalseAlarms(
    new Map([...finders, ...(lint === undefined ? [] : ([['@secretlint', lint]] as const))]),
  );
}
