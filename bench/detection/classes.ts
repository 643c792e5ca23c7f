import type { Detector } from '../../src/detectors/index.ts';
import { CONFIG_FILES } from './config-files.ts';
import { ratios, readCorpus, score } from './corpora.ts';
import { cases as writtenCalls } from './forms-report.ts';
import { CONTEXTS, grouped, NATIONAL_IDS } from './national-ids.ts';
import { OBFUSCATIONS, VALUES } from './obfuscations.ts';
import { PLAIN_DISGUISES } from './plain-disguises.ts';
import { Random } from './random.ts';
import { secretSamples } from './secrets.ts';
import { SETTINGS, STAGED_NAMES } from './staged-names.ts';
import { PASSWORDS, seedPhraseCases, USERNAME_CASES, vendors } from './suites-report.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Inputs in which a tag or a category must be found; one class of the benchmark. */
interface Class {
  readonly name: string;
  readonly inputs: readonly (readonly [tag: string, input: unknown])[];
}

const tagged = (tag: string, inputs: readonly unknown[]): Class['inputs'] =>
  inputs.map((input) => [tag, input] as const);

/** The classes in which a detector is measured by recall: written once, read by every detector alike. */
export function classes(): readonly Class[] {
  const staged = new Random(2);
  return [
    ...[...writtenCalls()].map(([name, inputs]) => ({
      name,
      inputs: tagged(
        'CREDENTIALS',
        inputs.map(([input]) => input),
      ),
    })),
    {
      name: 'vendors',
      inputs: vendors(new Random(21)).flatMap(([, inputs]) => tagged('CREDENTIALS', inputs)),
    },
    {
      name: 'names with a stage',
      inputs: tagged(
        'CREDENTIALS',
        STAGED_NAMES.flatMap((name) => SETTINGS.map((set) => set(name, staged.text(ALPHABET, 24)))),
      ),
    },
    {
      name: 'passwords in files',
      inputs: tagged(
        'CREDENTIALS',
        Object.values(CONFIG_FILES).flatMap((write) => PASSWORDS.map(write)),
      ),
    },
    { name: 'seed phrases', inputs: tagged('SEED_PHRASE', seedPhraseCases(new Random(21))) },
    { name: 'user names', inputs: tagged('USERNAME', USERNAME_CASES) },
    ...['by label', 'by prefix'].map((kind) => ({
      name: `generated, ${kind}`,
      inputs: tagged(
        'CREDENTIALS',
        secretSamples(20, 20)
          .filter((sample) => sample.kind === kind)
          .map(({ text }) => text),
      ),
    })),
    ...Object.entries(CONTEXTS).map(([name, write]) => ({
      name: `national ids, ${name}`,
      inputs: NATIONAL_IDS.flatMap((id) =>
        id.values
          .flatMap((value) => [value, grouped(id, value)])
          .map((value) => [id.tag, write(id, value)] as const),
      ),
    })),
    { name: 'plain disguises', inputs: PLAIN_DISGUISES },
    {
      name: 'disguises of all kinds',
      inputs: Object.values(OBFUSCATIONS).flatMap((hide) =>
        Object.entries(VALUES).map(([tag, value]) => [tag, hide(value)] as const),
      ),
    },
  ];
}

/** Types of Presidio's corpora that patterns can find. */
const JUDGED = new Set(['EMAIL_ADDRESS', 'US_SSN', 'IP_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE', 'PHONE_NUMBER']);

/** The recall of a detector in each class, and its F1 for each type of Presidio's corpora where those are. */
export async function recallByClass(
  detector: Detector,
  all: readonly Class[] = classes(),
): Promise<ReadonlyMap<string, number>> {
  const reached = new Map<string, number>();
  for (const { name, inputs } of all) {
    const found = inputs.filter(([tag, input]) => {
      const { tags } = detector.scan({ input });
      return tags.includes(tag) || (name === 'disguises of all kinds' && tags.includes('UNSCANNED'));
    });
    reached.set(name, found.length / inputs.length);
  }
  for (const name of ['presidio-research-large', 'presidio-tests']) {
    const scores = await score(readCorpus(name) ?? [], JUDGED, (text) =>
      detector
        .scan({ text })
        .detections()
        .map(({ tag, start, end }) => ({ type: tag, start, end })),
    );
    for (const [type, one] of scores) if (one.expected > 0) reached.set(`${name}, ${type}`, ratios(one).f1);
  }
  return reached;
}
