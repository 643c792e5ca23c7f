import t from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { scanRequest } from '../../src/evaluate/content.ts';
import { createShownValues } from '../../src/evaluate/masked-messages.ts';
import { canonicalJson } from '../../src/json/stringify.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { longestStep } from '../helpers/longest-step.ts';

const emails = (count: number): string[] =>
  Array.from({ length: count }, (_, place) => `person${place}@example.org`);
const request = (input: Record<string, unknown>) => ({
  input,
  targetKey: 'ada@example.org',
  targetMetadata: null,
  callbackUrl: null,
  correlationId: null,
  tool: '',
  retention: 'redacted' as const,
  reviewInput: 'full' as const,
  redact: false,
  texts: new Map(),
  provenance: null,
  hashed: null,
});
interface Kept {
  type: string;
  in: string;
  path: string;
  more?: number;
}

t.test('#36: a request with 40,000 findings keeps the event loop no longer than any large one', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const input = { text: emails(42_000).join(' ') };
  /** Threads that scan give way to every other program: on a busy machine one may not end within its ten seconds, and the request fails. */
  async function send(tries = 5): ReturnType<typeof app.call> {
    const response = await app.call(key, 'POST', '/v1/evaluate', { input });
    const isLate = response.status === 503;
    return isLate && tries > 1 ? send(tries - 1) : response;
  }
  await send();
  const steps: number[] = [];
  for (let round = 0; round < 3; round++) {
    const step = await longestStep(async () => t.equal((await send()).status, 200));
    steps.push(step);
  }
  // Before, 90 to 330 ms; the pieces of one request now take 10 ms.
  t.ok(Math.min(...steps) < 50, steps.join(', '));
});

t.test('#36: places are kept up to a bound, and beyond it the number of each type', (t) => {
  const found = scanRequest(createDetector(), request({ ['k'.repeat(30_000)]: emails(2_000) }));
  const text = found.detections ?? '';
  t.ok(text.length < 300_000, `${text.length} characters`);
  t.equal(text, canonicalJson(JSON.parse(text)), 'the record hashes it as it is');
  const kept = JSON.parse(text) as Kept[];
  const ofInput = kept.filter((one) => one.in === 'input');
  t.equal(
    ofInput.reduce((sum, { more = 1 }) => sum + more, 0),
    2_000,
  );
  t.match(
    ofInput.filter(({ more }) => more !== undefined),
    [{ type: 'EMAIL_ADDRESS', path: '', more: Number }],
  );
  t.match(kept.at(-1), { in: 'targetKey', type: 'EMAIL_ADDRESS', path: '' });
  t.end();
});

t.test('the bounded places are read back as they are kept', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const input = { ['k'.repeat(30_000)]: emails(1_000) };
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input });
  const read = await app.call(adminKey, 'GET', `/v1/evaluations/${body.data.evaluationRunId}`);
  t.match((read.body.data.detections as Kept[]).at(-1), { type: 'EMAIL_ADDRESS', more: Number });
  t.notMatch(read.text, /person999@/);
});

t.test('#36: messages look for a bounded number of values, and show nothing beyond it', (t) => {
  const values = emails(10_000).map((email) => [email, '[EMAIL_ADDRESS]'] as const);
  const show = createShownValues(createDetector({ disabledTags: ['EMAIL_ADDRESS'] }), { values });
  t.equal(show('to person9999@example.org'), 'to [EMAIL_ADDRESS]');
  const few = createShownValues(createDetector(), { values: values.slice(0, 10) });
  for (let count = 0; count < 20; count++) t.equal(few('to person9@example.org'), 'to [EMAIL_ADDRESS]');
  const { values: many } = scanRequest(createDetector(), request({ list: emails(10_001) }));
  t.equal(many, null, 'more than one message looks for are not handed over');
  t.equal(createShownValues(createDetector(), { values: many })('to person1@example.org'), '[NOT SHOWN]');
  t.end();
});

t.test('#36: a body with too many different names of members is refused before it is parsed', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const named = (count: number) => Object.fromEntries(emails(count).map((name) => [name, 1]));
  const refused = await app.call(key, 'POST', '/v1/evaluate', { input: named(30_000) });
  t.equal(refused.status, 400);
  t.match(refused.body.errors, [{ path: '', message: 'must have at most 10000 different names of members' }]);
  const rows = Array.from({ length: 10_000 }, (_, row) => ({
    name: `n${row}`,
    place: `p${row}`,
    note: 'none',
  }));
  const fine = await app.call(key, 'POST', '/v1/evaluate', { input: { rows } });
  t.equal(fine.status, 200, 'the same names again count once');
});
