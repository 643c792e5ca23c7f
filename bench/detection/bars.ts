import { readdirSync, readFileSync } from 'node:fs';
import type { Detector } from '../../src/detectors/index.ts';
import { isShort } from '../measure.ts';
import { blockedShare } from './blocked-calls.ts';
import { ratios, readCorpus, score } from './corpora.ts';
import { fill, ID_FIELDS, ID_FORMS } from './everyday-ids.ts';
import { cases as writtenCalls } from './forms-report.ts';
import { harmlessCalls } from './harmless-calls.ts';
import { BARE_IDS, TABLES } from './harmless-numbers.ts';
import { LOGS, log } from './logs.ts';
import { CONTEXTS, grouped, NATIONAL_IDS } from './national-ids.ts';
import { OBFUSCATIONS, VALUES } from './obfuscations.ts';
import { PLAIN_DISGUISES } from './plain-disguises.ts';
import { Random } from './random.ts';
import { realFiles } from './real-files.ts';
import { mixed, TOOL_CALL } from './speed.ts';
import { SETTINGS, STAGED_NAMES } from './staged-names.ts';
import { vendors } from './suites-report.ts';
import { EVERYWHERE } from './tags.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const VENDORS = 755;
/** Wrong findings that are printed. */
const SHOWN = 60;
const TIMES = isShort ? 1 : 20;

type Measure = (detector: Detector) => number | Promise<number>;

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

/** Files whose findings are right: AWS shows keys, tokens and addresses of its own form in the examples of its services. */
const SAMPLES = /botocore\/data\/.*\/examples-1\.json$/;

interface Input {
  path: string;
  text: string;
  value: unknown;
}

/** The wrong findings in texts, each as a line that says where it is. */
function wrongFindings(d: Detector, inputs: readonly Input[]): string[] {
  const lines: string[] = [];
  for (const { path, value } of inputs) {
    if (SAMPLES.test(path)) continue;
    for (const { tag, path: place, start, end } of d.scan(value).detections())
      if (!EVERYWHERE.has(tag))
        lines.push(`${tag} ${path.slice(path.lastIndexOf('node_modules/') + 1)} ${place} ${start} to ${end}`);
  }
  return lines;
}

/** Wrong findings in a megabyte of texts. */
function wrongPerMegabyte(d: Detector, inputs: readonly Input[]): number {
  const bytes = inputs.reduce((sum, { text }) => sum + text.length, 0);
  return (wrongFindings(d, inputs).length * 1e6) / bytes;
}

const files = (group: string): readonly Input[] => realFiles(isShort ? 20 : 400).get(group) ?? [];

/** Parts of generated logs, as an agent reads a file. */
const logs = (): readonly Input[] =>
  Object.keys(LOGS).map((kind) => {
    const text = log(kind, 3, isShort ? 20_000 : 500_000);
    return { path: kind, text, value: { text } };
  });

/** Microseconds of processor time for one scan: the median of rounds. */
function microseconds(d: Detector, inputs: readonly unknown[]): number {
  const times: number[] = [];
  for (let round = 0; round < (isShort ? 2 : 60); round++) {
    const begun = process.cpuUsage();
    for (const input of inputs) d.scan(input);
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / inputs.length);
  }
  return times.toSorted((x, y) => x - y)[times.length >> 1] ?? 0;
}

/** Types of Presidio's corpora that patterns can find. */
const JUDGED = new Set(['EMAIL_ADDRESS', 'US_SSN', 'IP_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE', 'PHONE_NUMBER']);

/** The mean F1 over those types in a suite made by others; not a number when its file is not there. */
const outside =
  (name: string): Measure =>
  async (d) => {
    const found = (text: string): { type: string; start: number; end: number }[] =>
      d
        .scan({ text })
        .detections()
        .map(({ tag, start, end }) => ({ type: tag, start, end }));
    const scores = await score(readCorpus(name) ?? [], JUDGED, found);
    const all = [...scores.values()].filter(({ expected }) => expected > 0).map((one) => ratios(one).f1);
    return all.reduce((sum, f1) => sum + f1, 0) / all.length;
  };

const repeated = (input: unknown): readonly unknown[] =>
  Array.from({ length: isShort ? 10 : 2_000 }, () => input);

/** Megabytes read in a second of processor time. */
const megabytes =
  (inputs: () => readonly Input[]): Measure =>
  (d) => {
    const all = inputs();
    const bytes = all.reduce((sum, { text }) => sum + text.length, 0) / all.length;
    return (
      bytes /
      microseconds(
        d,
        all.map(({ value }) => value),
      )
    );
  };

const SHELL = {
  tool: 'shell',
  arguments: {
    command:
      "cd /srv/app && git pull --rebase origin main && npm ci --omit=dev && PORT=8080 node dist/server.js | tee -a app.log; grep -rn 'TODO' src | head -20",
  },
};

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
    'harmless calls that policies stop',
    '<= .005',
    (d) => blockedShare(d, harmlessCalls(realFiles(isShort ? 20 : 400), isShort ? 50 : 500, new Random(6))),
  ],
  [
    'plain disguises that pass',
    '<= .16',
    (d) => share(PLAIN_DISGUISES, ([tag, text]) => !tagsOf(d, text).includes(tag)),
  ],
  [
    'disguises of all kinds that pass',
    '<= .16',
    (d) => {
      const all = Object.values(OBFUSCATIONS).flatMap((hide) =>
        Object.entries(VALUES).map(([tag, value]) => [tag, hide(value)] as const),
      );
      return share(all, ([tag, text]) => !tagsOf(d, text).some((one) => one === tag || one === 'UNSCANNED'));
    },
  ],
  [
    'credentials of vendors found',
    '>= .95',
    (d) => {
      const names = vendors(new Random(21));
      const recall = names.map(([, inputs]) => share(inputs, (input) => isCredential(d, input)));
      return recall.reduce((sum, one) => sum + one, 0) / recall.length;
    },
  ],
  [
    'secrets in written calls found',
    '>= .95',
    (d) => share([...writtenCalls().values()].flat(), ([input]) => isCredential(d, input)),
  ],
  [
    'national identifiers found',
    '>= .98',
    (d) => {
      const all = Object.values(CONTEXTS).flatMap((write) =>
        NATIONAL_IDS.flatMap((id) =>
          id.values.flatMap((one) => [one, grouped(id, one)]).map((one) => [id.tag, write(id, one)] as const),
        ),
      );
      return share(all, ([tag, input]) => tagsOf(d, input).includes(tag));
    },
  ],
  ['F1, sentences of Presidio', '>= .98', outside('presidio-research-large')],
  ['F1, recognizer tests of Presidio', '>= .95', outside('presidio-tests')],
  ['wrong findings per MB of JSON', '<= 1', (d) => wrongPerMegabyte(d, files('JSON'))],
  ['wrong findings per MB of logs', '<= 3', (d) => wrongPerMegabyte(d, logs())],
  ['wrong findings per MB of lockfiles', '0', (d) => wrongPerMegabyte(d, files('lockfiles'))],
  ['µs for a call of 300 bytes', '<= 3', (d) => microseconds(d, repeated(TOOL_CALL))],
  ['µs for a shell command', '<= 6', (d) => microseconds(d, repeated(SHELL))],
  ['ms for 1 MB of mixed text', '<= 10', (d) => microseconds(d, [mixed(7, 1_000_000)]) / 1000],
  ['MB/s of JSON', '>= 100', megabytes(() => files('JSON'))],
  ['MB/s of logs', '>= 100', megabytes(logs)],
  ['MB/s of JavaScript', '>= 100', megabytes(() => files('JS'))],
];

/** Prints how large the code of the detectors is. */
function printSize(): void {
  const folder = 'src/detectors';
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const lines = sources.map((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n').length - 1);
  const all = lines.reduce((sum, one) => sum + one, 0);
  console.log(
    `${'files of src/detectors'.padEnd(34)} ${'<= 120'.padEnd(10)} ${String(sources.length).padStart(9)}`,
  );
  console.log(`${'lines of src/detectors'.padEnd(34)} ${'<= 14000'.padEnd(10)} ${String(all).padStart(9)}`);
}

/** Prints what was reached beside the bars, for each detector by its name. */
export async function printBars(detectors: ReadonlyMap<string, Detector>): Promise<void> {
  console.log(
    `\n${'bars'.padEnd(34)} ${'bar'.padEnd(10)} ${[...detectors.keys()].map((name) => name.padStart(9)).join(' ')}`,
  );
  for (const [name, bar, measure] of BARS) {
    const reached: string[] = [];
    for (const detector of detectors.values()) reached.push((await measure(detector)).toFixed(4).padStart(9));
    console.log(`${name.padEnd(34)} ${bar.padEnd(10)} ${reached.join(' ')}`);
  }
  printSize();
  for (const [name, detector] of detectors)
    for (const line of [...wrongFindings(detector, files('JSON')), ...wrongFindings(detector, logs())].slice(
      0,
      SHOWN,
    ))
      console.log(`  wrong, ${name}: ${line}`);
}
