import { createDetector } from '../../src/detectors/index.ts';
import { Random } from './random.ts';
import { ASSIGNMENTS, COMMANDS, HARMLESS, SENTENCES, STRUCTURES } from './secret-forms.ts';

const PASSWORDS = ['hunter2', 'letmein', 'Tr0ub4dor&3', 'S3cr3t!pw', 'correct-horse-battery', 'Winter2026!'];
const SHOWN = 12;

type Case = readonly [input: unknown, value: string];

/** Secrets in written calls, by how they are given. */
export function cases(): ReadonlyMap<string, readonly Case[]> {
  const r = new Random(11);
  const passwords = (makes: readonly ((v: string) => unknown)[]): Case[] =>
    makes.flatMap((make) => PASSWORDS.map((value): Case => [make(value), value]));
  return new Map([
    [
      'tokens, assigned',
      ASSIGNMENTS.flatMap((make) =>
        ['api_token', 'client_secret', 'stripe_api_key'].map((label): Case => {
          const value = r.hex(32);
          return [make(label, value), value];
        }),
      ),
    ],
    ['passwords, assigned', passwords(ASSIGNMENTS.map((make) => (v) => make('db_password', v)))],
    ['passwords, in commands', passwords(COMMANDS)],
    ['passwords, in sentences', passwords(SENTENCES)],
    ['passwords, in structures', passwords(STRUCTURES)],
  ]);
}

/** Prints how many secrets in written-out tool calls are tagged and masked, with the ones that are not. */
export function printForms(): void {
  const detector = createDetector();
  console.log('\nsecrets in tool calls: tagged / masked');
  for (const [name, all] of cases()) {
    let tagged = 0;
    const missed: string[] = [];
    for (const [input, value] of all) {
      const scan = detector.scan({ input });
      if (scan.tags.includes('CREDENTIALS')) tagged++;
      if (JSON.stringify(scan.redacted()).includes(value)) missed.push(JSON.stringify(input));
    }
    const share = (n: number): string => (n / all.length).toFixed(3);
    console.log(
      `${name.padEnd(28)} n ${all.length}  ${share(tagged)} / ${share(all.length - missed.length)}`,
    );
    for (const text of missed.slice(0, SHOWN)) console.log(`  not masked: ${text}`);
    if (missed.length > SHOWN) console.log(`  and ${missed.length - SHOWN} more`);
  }
  const wrong = HARMLESS.filter((text) => detector.scan({ text }).tags.includes('CREDENTIALS'));
  console.log(`harmless ones that are tagged    ${wrong.length} of ${HARMLESS.length}`);
  for (const text of wrong) console.log(`  ${JSON.stringify(text)}`);
}
