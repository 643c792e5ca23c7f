import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import type { Problem } from '../../src/record/verification/problems.ts';
import { createRandom } from '../durability/random.ts';
import { startApp } from '../helpers/app.ts';
import { exportRecord, recordHistory, verify } from '../helpers/record.ts';
import {
  isEntry,
  parsed,
  renumbered,
  replaced,
  resigned,
  rewritten,
  swapped,
  truncated,
  withByte,
  without,
} from './tampering.ts';

// takes long: begins first

const file = join(import.meta.dirname, '../../clients/verifier/verify-record.mjs');
const { createVerification } = await import(pathToFileURL(file).href);

type Verify = (lines: readonly string[], trustedKeys: readonly string[]) => Problem[];
const verifiers: Record<string, Verify> = {
  'assize audit verify': (lines, trustedKeys) => verify(lines, { trustedKeys }).problems,
  'verify-record.mjs'(lines, trustedKeys) {
    const verification = createVerification({ trustedKeys });
    for (const line of lines) verification.line(line);
    return verification.end().problems;
  },
};

/** All of them: npm run long -- tampering. */
const entryCount = Number(process.env.TAMPERED_ENTRIES ?? 20);
const everyByte = process.env.TAMPERED_ENTRIES !== undefined;

t.test('both verifiers find and name every tampered entry', async (t) => {
  const app = await startApp(t);
  const random = createRandom(7);
  await recordHistory(app, { sessions: everyByte ? 60 : 8, actions: 3 });
  await app.services.record.roots.sweep();
  app.clock.advance(60_000);
  const sessions = await recordHistory(app, { sessions: 4, actions: 3 });
  const all = await exportRecord(app);
  const { keyId } = app.services.record.key();
  const key = generateKeyPairSync('ed25519').privateKey;
  const places = all.flatMap((line, place) => (isEntry(line) ? [place] : []));
  const chosen = Array.from({ length: entryCount }, () => places[random.below(places.length)] as number);
  const one = await exportRecord(app, { sessionId: sessions[0] as string });
  const ofSession = one.flatMap((line, place) => (isEntry(line) ? [place] : []));

  for (const [name, problemsOf] of Object.entries(verifiers)) {
    t.strictSame(problemsOf(all, [keyId]), [], `${name}: nothing is wrong`);
    const unnamed: string[] = [];
    const expect = (what: string, lines: readonly string[], chain: string, seqs: readonly number[]) => {
      const problems = problemsOf(lines, [keyId]);
      const named = seqs.every((seq) => problems.some((one) => one.chain === chain && one.seq === seq));
      if (!named) unnamed.push(`${what}: ${chain} ${seqs}: ${JSON.stringify(problems)}`);
    };
    for (const place of chosen) {
      const line = all[place] as string;
      const { chain, seq } = parsed(line).entry;
      expect('removed', without(all, place), chain, [seq]);
      expect('removed and renumbered', renumbered(without(all, place)), chain, [seq]);
      const change = rewritten(all, place, (entry) => {
        entry.outcome = 'CHANGED';
      });
      const problems = problemsOf(change, [keyId]);
      if (!problems.some((one) => one.chain === chain && one.code === 'replaced')) {
        unnamed.push(`rewritten: ${chain} ${seq}: ${JSON.stringify(problems)}`);
      }
      const resignedChange = problemsOf(resigned(change, key), [keyId]);
      if (!resignedChange.some(({ message }) => message.includes('not trusted')))
        unnamed.push(`re-signed ${seq}`);
      const next = places.find(
        (other) => other > place && parsed(all[other] as string).entry.chain === chain,
      );
      if (next !== undefined) {
        expect('swapped', renumbered(swapped(all, place, next)), chain, [seq]);
      }
      expect('truncated', truncated(all, place), chain, [seq]);
      const other = places[random.below(places.length)] as number;
      if (other !== place) {
        const found = problemsOf(swapped(all, place, other), [keyId]);
        if (!found.some((one) => one.line === place + 1))
          unnamed.push(`swapped across chains ${place} ${other}`);
      }
    }
    // Every third byte of each entry of one session (in `npm run long`, every one), and some of those of the others.
    const bytes = (lines: readonly string[], place: number, at: number): void => {
      const line = lines[place] as string;
      const { chain, seq } = parsed(line).entry;
      const problems = problemsOf(replaced(lines, place, withByte(line, at, 1 + random.below(127))), [keyId]);
      const isNamed = problems.some(
        (one) => (one.chain === chain && one.seq === seq) || one.line === place + 1,
      );
      if (!isNamed) unnamed.push(`byte ${at} of ${line}`);
    };
    for (const place of ofSession) {
      for (let at = 0; at < Buffer.byteLength(one[place] as string); at += everyByte ? 1 : 3)
        bytes(one, place, at);
    }
    for (const place of chosen) {
      const length = Buffer.byteLength(all[place] as string);
      for (let count = 0; count < (everyByte ? 20 : 3); count++) bytes(all, place, random.below(length));
    }
    t.strictSame(unnamed.slice(0, 5), [], `${name} names all of ${chosen.length} entries`);
  }
});

t.test(
  'a forger with a key of his own is found by who trusts the right one, and by who knows a root',
  async (t) => {
    const app = await startApp(t);
    await recordHistory(app, { sessions: 1 });
    const lines = await exportRecord(app);
    const { keyId } = app.services.record.key();
    const [known] = await app.services.record.listRoots(0, 1);
    const forged = resigned(lines, generateKeyPairSync('ed25519').privateKey);
    t.strictSame(verify(forged).problems, [], 'without a trusted key nothing is known of who signed');
    t.match(verify(forged, { trustedKeys: [keyId] }).problems, [{ code: 'root', message: /not trusted/ }]);
    t.match(verify(forged, { expectedRoots: [known?.hash ?? ''] }).problems, [{ code: 'truncated' }]);
    t.strictSame(verify(lines, { trustedKeys: [keyId], expectedRoots: [known?.hash ?? ''] }).problems, []);
  },
);

t.test('both verifiers name what a period, or a chain, begins with when it is missing', async (t) => {
  const app = await startApp(t);
  await recordHistory(app, { sessions: 2 });
  await app.services.record.roots.sweep();
  const from = new Date(app.clock.now()).toISOString();
  for (let count = 0; count < 3; count++) {
    app.clock.advance(60_000);
    await recordHistory(app, { sessions: 2 });
    await app.services.record.roots.sweep();
  }
  const period = await exportRecord(app, { from });
  const all = await exportRecord(app);
  const kinds = (lines: readonly string[], kind: string): number[] =>
    lines.flatMap((line, place) => (parsed(line).kind === kind ? [place] : []));
  const withoutRoot = kinds(period, 'root')
    .slice(0, -1)
    .map((place) => renumbered(without(period, place)));
  const [firstOrigin = 0] = kinds(all, 'chain');
  const { chain } = parsed(all[firstOrigin] as string).origin;

  for (const [name, problemsOf] of Object.entries(verifiers)) {
    t.strictSame(problemsOf(period, []), [], `${name}: nothing is wrong`);
    const [first = [], ...later] = withoutRoot.map((lines) => problemsOf(lines, []));
    t.match(first[0], { code: 'root', message: 'the root that the period begins with is missing' }, name);
    t.ok(
      first.every(({ code }) => code === 'root'),
      `${name} finds nothing wrong with the lines that are there`,
    );
    for (const problems of later) t.match(problems, [{ code: 'root' }], name);
    t.match(problemsOf(renumbered(without(all, firstOrigin)), []), [
      {
        code: 'missing',
        chain,
        seq: 1,
        message: 'the origin of the chain is missing before its first entry',
      },
    ]);
    const afterwards = renumbered(swapped(all, firstOrigin, firstOrigin + 1));
    t.match(
      problemsOf(afterwards, []),
      [{ code: 'missing', chain, seq: 1 }],
      `${name}: the origin comes too late`,
    );
  }
});
