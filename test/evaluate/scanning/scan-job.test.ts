import t from 'tap';
import { createDetector } from '../../../src/detectors/index.ts';
import { scanRequest } from '../../../src/evaluate/content.ts';
import { createScanJobs } from '../../../src/evaluate/scanning/scan-job.ts';
import { packed, unpacked } from '../../../src/evaluate/scanning/scan-messages.ts';
import { parseWithTexts } from '../../../src/evaluate/verbatim-texts.ts';
import { stringifyJson } from '../../../src/json/stringify.ts';
import { contentDigest } from '../../../src/record/entries.ts';

const input = {
  tool: 'mail.send',
  to: 'ada@example.com',
  note: `${'nothing to find here. '.repeat(400)}4111 1111 1111 1111`,
  '10': [1.5, true, null, 'RX-0042', 2n ** 60n],
};
const options = {
  sensitivity: 'strict' as const,
  disabledTags: ['EMAIL_ADDRESS'],
  enabledTags: [],
  custom: [{ tag: 'RECIPE', category: 'HEALTH', pattern: 'RX-[0-9]{4}' }],
};
const rest = {
  targetKey: 'grace@example.com',
  callbackUrl: 'https://example.com/4111111111111111',
  correlationId: 'c 4111111111111111',
  tool: 'mail.send',
  redact: true,
  reviewInput: 'redacted' as const,
  provenance: { phase: 'ACTION' as const, salt: 's' },
  hashed: 'ACTION' as const,
};

t.test(
  'finds and keeps what a scan on the event loop does, with the detectors of the policies',
  async (t) => {
    const run = createScanJobs();
    for (const retention of ['full', 'redacted', 'none'] as const) {
      for (const targetMetadata of [null, { card: '5500 0000 0000 0004' }]) {
        for (const detector of [options, { custom: [] }]) {
          const text = stringifyJson({
            input,
            ...(targetMetadata && { targetMetadata }),
            targetKey: 'not this one',
          });
          const { texts } = parseWithTexts(text);
          const { inputDigest, ...content } = run({
            detector: JSON.stringify(detector),
            text,
            rest: { ...rest, retention },
          });
          const { inputDigest: _, ...expected } = scanRequest(createDetector(detector), {
            ...rest,
            retention,
            input,
            targetMetadata,
            texts,
          });
          t.strictSame(content, expected);
          t.equal(
            inputDigest?.digest,
            content.kept.input === null
              ? undefined
              : contentDigest(inputDigest?.salt ?? '', 'input', content.kept.input),
          );
        }
      }
    }
  },
);

t.test('what is kept arrives as it was found, as a part of the request or on its own', async (t) => {
  const run = createScanJobs();
  const compact = stringifyJson({ note: '{"a":1,"b":"x"}', input: { a: 1, b: 'x'.repeat(200) } });
  const spaced = `{ "input" : ${JSON.stringify({ a: 1, b: 'x'.repeat(200) }, null, 2)} }`;
  const masked = stringifyJson({ input: { a: 'ada@example.com', b: 'x'.repeat(200) } });
  // The first place that begins like the input is not the input.
  const twice = stringifyJson({
    targetMetadata: { a: 'x'.repeat(200), c: 1 },
    input: { a: 'x'.repeat(200), b: 1 },
  });
  for (const [text, isPart] of [
    [compact, true],
    [spaced, false],
    [masked, false],
    [twice, false],
  ] as const) {
    const content = run({
      detector: '{}',
      text,
      rest: { ...rest, targetKey: null, retention: 'redacted' },
    });
    const sent = packed(content, text);
    t.equal(sent.kept.input === null, isPart, 'a part of the request is not sent back');
    const received = unpacked(sent, text);
    t.strictSame({ ...received, values: received.values }, content);
  }
});

t.test('keeps a bounded number of detectors', async (t) => {
  const run = createScanJobs();
  const text = stringifyJson({ input: { a: 'tag-70' } });
  for (let count = 0; count <= 70; count++) {
    const custom = [{ tag: `TAG_${count}`, category: 'PII', pattern: `tag-${count}$` }];
    const { tags } = run({
      detector: JSON.stringify({ custom }),
      text,
      rest: { ...rest, targetKey: null, callbackUrl: null, retention: 'full' },
    });
    t.equal(tags.includes(`TAG_${count}`), count === 70 || count === 7 ? count === 70 : false);
  }
});
