import { createDetector } from '../../src/detectors/index.ts';
import { SEED_WORDS } from '../../src/detectors/tokens/seed-phrase.ts';
import { isShort } from '../measure.ts';
import { CONFIG_FILES } from './config-files.ts';
import { Random } from './random.ts';
import { ASSIGNMENTS } from './secret-forms.ts';
import { BY_FORM, BY_NAME, LABELS } from './vendor-formats.ts';

export const PASSWORDS = [
  'hunter2',
  'letmein',
  'Tr0ub4dor&3',
  'S3cr3t!pw',
  'correct-horse-battery',
  'Winter2026!',
];
const SAMPLES = isShort ? 1 : 20;
/** What stands around a token that needs no label. */
const SURROUNDINGS: readonly ((v: string) => string)[] = [
  (v) => v,
  (v) => `use ${v} now`,
  (v) => `x = "${v}"`,
  (v) => `-H 'X: ${v}'`,
  (v) => `{"a":"${v}"}`,
  (v) => `a=${v}\nb=1`,
  (v) => `<a>${v}</a>`,
  (v) => `see (${v}).`,
];

type Cases = readonly (readonly [name: string, inputs: readonly unknown[]])[];

const detector = createDetector();

/** Credentials of vendors by name: as values of labels, and by their form alone. */
export function vendors(r: Random): Cases {
  return [
    ...BY_NAME.map(
      ([name, make]) =>
        [name, LABELS.flatMap((label) => ASSIGNMENTS.map((assign) => assign(label(name), make(r))))] as const,
    ),
    ...BY_FORM.map(
      ([name, make]) =>
        [
          name,
          Array.from({ length: SAMPLES }, () => SURROUNDINGS.map((write) => write(make(r)))).flat(),
        ] as const,
    ),
  ];
}

const NAMES = ['jdoe', 'asmith42', 'maria.lopez', 'bob_the_builder', 'wei-chen'];
const USERNAMES: readonly ((v: string) => unknown)[] = [
  (v) => ({ username: v }),
  (v) => ({ user: { login: v } }),
  (v) => ({ userName: v }),
  (v) => ({ screen_name: v }),
  (v) => ({ name: 'username', value: v }),
  (v) => `username: "${v}"`,
  (v) => `user_name = '${v}'`,
  (v) => ({ Benutzername: v }),
];

/** Twelve words of which the last one is right: of so many, one in sixteen is. */
function seedPhrases(r: Random): readonly string[] {
  const found: string[] = [];
  for (let tries = 0; found.length < SAMPLES && tries < 100 * SAMPLES; tries++) {
    const phrase = Array.from({ length: 12 }, () => r.pick(SEED_WORDS)).join(' ');
    if (detector.scan({ phrase }).tags.includes('SEED_PHRASE')) found.push(phrase);
  }
  return found;
}

const PHRASES: readonly ((v: string) => unknown)[] = [
  (v) => ({ mnemonic: v }),
  (v) => ({ words: v.split(' ') }),
  (v) => `seed phrase: ${v}`,
  (v) => `My recovery phrase is:\n${v.split(' ').join('\n')}`,
  (v) => `mnemonic = "${v}"`,
  (v) => v.toUpperCase(),
];

/** Seed phrases as they are written, and user names under the keys for them. */
export const seedPhraseCases = (r: Random): readonly unknown[] =>
  PHRASES.flatMap((write) => seedPhrases(r).map(write));
export const USERNAME_CASES: readonly unknown[] = USERNAMES.flatMap((write) => NAMES.map(write));

/** Prints the mean of the recalls of all names, and the names with the lowest. */
function print(title: string, cases: Cases, tag: string): void {
  const shares = cases.map(([name, inputs]) => {
    const found = inputs.filter((input) => detector.scan({ input }).tags.includes(tag)).length;
    return { name, share: found / inputs.length };
  });
  const mean = shares.reduce((sum, { share }) => sum + share, 0) / shares.length;
  console.log(`${title.padEnd(28)} n ${String(cases.length).padStart(3)}  ${mean.toFixed(3)}`);
  const low = shares.filter(({ share }) => share < 0.95).sort((x, y) => x.share - y.share);
  for (const { name, share } of low) console.log(`  ${share.toFixed(2)} ${name}`);
}

/** Prints the recall of vendors' credentials, of passwords in the files of programs, of seed phrases and user names. */
export function printSuites(): void {
  const r = new Random(21);
  console.log('\nmacro recall of credentials, below .95 by name');
  print('vendors', vendors(r), 'CREDENTIALS');
  const files = Object.entries(CONFIG_FILES).map(([name, write]) => [name, PASSWORDS.map(write)] as const);
  print('passwords in files', files, 'CREDENTIALS');
  const phrases = seedPhrases(r);
  print(
    'seed phrases',
    PHRASES.map((write) => [String(write), phrases.map(write)] as const),
    'SEED_PHRASE',
  );
  print(
    'user names',
    USERNAMES.map((write) => [String(write), NAMES.map(write)] as const),
    'USERNAME',
  );
}
