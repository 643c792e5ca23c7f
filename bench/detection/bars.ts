import type { Detector } from '../../src/detectors/index.ts';
import { isShort } from '../measure.ts';
import { fill, ID_FIELDS, ID_FORMS } from './everyday-ids.ts';
import { harmlessCalls } from './harmless-calls.ts';
import { BARE_IDS, TABLES } from './harmless-numbers.ts';
import { PLAIN_DISGUISES } from './plain-disguises.ts';
import { Random } from './random.ts';
import { realFiles } from './real-files.ts';
import { SETTINGS, STAGED_NAMES } from './staged-names.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const VENDORS = 755;
const TIMES = isShort ? 1 : 20;
/** Tags that files of projects have: authors, hosts and addresses. */
const EVERYWHERE = new Set(['EMAIL_ADDRESS', 'IP_ADDRESS', 'URL', 'USERNAME', 'NETWORK', 'ACCOUNT']);

type Measure = (detector: Detector) => number;

const tagsOf = (detector: Detector, input: unknown): readonly string[] =>
  detector.scan({ input }).counts.map(({ type }) => type);
const isCredential = (detector: Detector, input: unknown): boolean =>
  detector.scan({ input }).tags.includes('CREDENTIALS');

function share<T>(cases: readonly T[], holds: (one: T) => boolean): number {
  return cases.filter(holds).length / cases.length;
}

const invented = (r: Random): string => r.pick(['acme', 'nova', 'blue', 'zen']) + r.text('bcdfgklmnprst', 3);

function idCards(size: number): Measure {
  return (d) => {
    const r = new Random(3);
    const ids = BARE_IDS.flatMap((write) =>
      Array.from({ length: 10 * TIMES }, () => write(r, String(r.int(1, 9)) + r.digits(size - 1))),
    );
    return share(ids, (id) => tagsOf(d, id).includes('CREDIT_CARD'));
  };
}

/** Findings of kinds that a file of a project has no reason to hold. */
const wrong = (d: Detector, input: unknown): boolean => tagsOf(d, input).some((tag) => !EVERYWHERE.has(tag));

/** What the bars of the detectors are measured by: name, bar, and the measure. */
const BARS: readonly (readonly [name: string, bar: string, measure: Measure])[] = [
  [
    'everyday id fields tagged',
    '<= .02',
    (d) => {
      const r = new Random(1);
      return share(ID_FIELDS, ([name, form]) =>
        ID_FORMS.some((write) => isCredential(d, write(name, fill(form, r)))),
      );
    },
  ],
  [
    'names with a stage found',
    '>= .95',
    (d) => {
      const r = new Random(2);
      const inputs = STAGED_NAMES.flatMap((name) => SETTINGS.map((set) => set(name, r.text(ALPHABET, 24))));
      return share(inputs, (input) => isCredential(d, input));
    },
  ],
  [
    'any word and _key found',
    '>= .95',
    (d) => {
      const r = new Random(4);
      const inputs = Array.from({ length: VENDORS }, () => ({
        [`${invented(r)}_key`]: r.text(ALPHABET, 32),
      }));
      return share(inputs, (input) => isCredential(d, input));
    },
  ],
  ['bare ids of 16 digits as cards', '<= .0005', idCards(16)],
  ['bare ids of 19 digits as cards', '<= .0005', idCards(19)],
  [
    'tables of numbers tagged',
    '<= .02',
    (d) => {
      const r = new Random(5);
      const tables = TABLES.flatMap((write) => Array.from({ length: 5 * TIMES }, () => write(r)));
      return share(tables, (table) => tagsOf(d, table).length > 0);
    },
  ],
  [
    'harmless calls tagged wrongly',
    '<= .005',
    (d) => {
      const calls = harmlessCalls(realFiles(isShort ? 20 : 400), isShort ? 50 : 500, new Random(6));
      return share(calls, (call) => wrong(d, call));
    },
  ],
  [
    'plain disguises that pass',
    '<= .16',
    (d) => share(PLAIN_DISGUISES, ([tag, text]) => !tagsOf(d, text).includes(tag)),
  ],
];

/** Prints what was reached beside the bars, for each detector by its name. */
export function printBars(detectors: ReadonlyMap<string, Detector>): void {
  console.log(
    `\n${'bars'.padEnd(34)} ${'bar'.padEnd(10)} ${[...detectors.keys()].map((name) => name.padStart(9)).join(' ')}`,
  );
  for (const [name, bar, measure] of BARS) {
    const reached = [...detectors.values()].map((detector) => measure(detector).toFixed(4).padStart(9));
    console.log(`${name.padEnd(34)} ${bar.padEnd(10)} ${reached.join(' ')}`);
  }
}
