import t from 'tap';
import { createVerifier as createConsoleVerifier } from '../../src/console/data/record/verify.ts';
import { canonicalJson } from '../../src/json/stringify.ts';
import { createVerifier } from '../../src/record/verification/verify.ts';
import { adminKey, startApp } from '../helpers/app.ts';

/** The lines of an export, over all pages. */
async function exportOf(app: Awaited<ReturnType<typeof startApp>>, query = ''): Promise<string[]> {
  const lines: string[] = [];
  let next: string | null = null;
  do {
    const asked: string = next === null ? query : `?cursor=${encodeURIComponent(next)}`;
    const { body } = await app.call(adminKey, 'GET', `/v1/record/export${asked}`);
    lines.push(...body.data.lines);
    next = body.data.next;
  } while (next !== null);
  return lines;
}

async function verify(lines: readonly string[]) {
  const verifier = createConsoleVerifier();
  for (const line of lines) await verifier.line(line);
  return verifier.end();
}

/** What the service's own verifier says, which `assize audit verify` runs. */
function isWhole(lines: readonly string[]): boolean {
  const verifier = createVerifier();
  try {
    for (const line of lines) verifier.line(line);
    return verifier.end().problems.length === 0;
  } catch {
    return false;
  }
}

/** The lines with their own numbers again, as who falsifies an export would write them. */
const numbered = (lines: readonly string[]): string[] =>
  lines.map((text, place) => canonicalJson({ ...JSON.parse(text), line: place + 1 }));

t.test(
  'the console finds an export whole, every change of a line, and every loss that the service finds',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration('AGENT', { contentRetention: 'full' });
    let sessionId = '';
    for (const text of ['one', 'two', 'three']) {
      const session = sessionId ? { sessionId } : {};
      const { body } = await app.call(key, 'POST', '/v1/evaluate', {
        input: { tool: 'x', text },
        ...session,
      });
      sessionId = body.data.sessionId;
    }
    const first = await exportOf(app);
    app.clock.advance(120_000);
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'y' }, sessionId });
    const all = await exportOf(app);
    const middle = new Date(app.clock.now() - 60_000).toISOString();
    const queries = { session: `?sessionId=${sessionId}`, period: `?from=${middle}` };

    t.match(await verify(first), { problems: [] });
    for (const [name, lines] of Object.entries({
      all,
      session: await exportOf(app, queries.session),
      period: await exportOf(app, queries.period),
    })) {
      const whole = await verify(lines);
      t.strictSame(whole.problems, [], name);
      t.ok(whole.entries > 0 && whole.roots > 0, name);
      for (const [place, line] of lines.entries()) {
        const without = numbered(lines.toSpliced(place, 1));
        const { problems: missed } = await verify(without);
        t.ok(missed.length > 0 || isWhole(without), `${name}: without line ${place + 1}`);
        const changed = line.replace(/"(ALLOW|hash|rootHash|keyId|three|two|one|signature)":?"?/, (found) =>
          found.replace(/[a-z]/i, (letter) => (letter === 'a' ? 'b' : 'a')),
        );
        // What decides may have its entry before the period.
        if (changed === line || (name === 'period' && JSON.parse(line).kind === 'state')) continue;
        t.ok(
          (await verify(lines.with(place, changed))).problems.length > 0,
          `${name}: line ${place + 1} changed`,
        );
      }
    }
  },
);

t.test(
  'an entry that was replaced with its own right hash does not follow, and no root covers it',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration('REST_API');
    for (const tool of ['a', 'b']) await app.call(key, 'POST', '/v1/evaluate', { input: { tool } });
    const lines = await exportOf(app);
    const place = lines.findIndex((line) => line.includes('"kind":"entry"') && line.includes('"tool":"a"'));
    const line = JSON.parse(String(lines[place]));
    const entry = { ...line.entry, tool: 'harmless' };
    const { hash } = await import('node:crypto');
    const forged = canonicalJson({ ...line, entry, hash: hash('sha256', canonicalJson(entry), 'hex') });
    const { problems } = await verify(lines.with(place, forged));
    t.ok(problems.some(({ fault }) => fault === 'follows'));
  },
);
