import type { RequestListener } from 'node:http';
import t from 'tap';
import { createDetector } from '../../../src/detectors/index.ts';
import {
  chunksOf,
  createRecognizer,
  type RecognizerOptions,
  textsIn,
} from '../../../src/services/recognition/recognizer.ts';
import { startReceiver, startSilence } from '../callbacks/receiver.ts';
import { startAnalyzer } from './analyzer.ts';

type Tap = { teardown(close: () => unknown): void };

const detector = createDetector();

function open(t: Tap, port: number, options: Partial<RecognizerOptions> = {}) {
  const errors: unknown[] = [];
  const recognizer = createRecognizer({
    url: `http://127.0.0.1:${port}`,
    language: 'en',
    timeoutMs: 5_000,
    failure: 'closed',
    onError: (error) => errors.push(error),
    ...options,
  });
  t.teardown(() => recognizer.close());
  const scan = async (input: unknown) => detector.scan(input, await recognizer.recognize([input]));
  return { scan, errors };
}

t.test('finds names in the texts of a request with few calls, at their places', async (t) => {
  const analyzer = await startAnalyzer();
  t.teardown(() => analyzer.close());
  const { scan, errors } = open(t, analyzer.port, { language: 'de' });
  const input = {
    a: 'John Smith drivers license is AC432223',
    b: ['hello world, my name is Jane Doe.', { c: '😀😀 Ana moved to Springfield' }, 7, null],
    d: 'hello world, my name is Jane Doe.',
  };
  const found = await scan(input);
  t.same(
    found.detections().map(({ tag, path, start, end }) => [tag, path, start, end]),
    [
      ['PERSON', '/a', 0, 10],
      ['US_DRIVER_LICENSE', '/a', 30, 38],
      ['PERSON', '/b/0', 24, 32],
      ['PERSON', '/b/1/c', 5, 8],
      ['LOCATION', '/b/1/c', 18, 29],
      ['PERSON', '/d', 24, 32],
    ],
  );
  t.same(found.tags, ['PII', 'US_DRIVER_LICENSE', 'PERSON', 'LOCATION']);
  t.match(found.redacted(), {
    a: '[PERSON] drivers license is [US_DRIVER_LICENSE]',
    b: [String, { c: '😀😀 [PERSON] moved to [LOCATION]' }],
  });
  t.equal(analyzer.requests.length, 1);
  t.match(JSON.parse(analyzer.requests[0]?.body ?? ''), {
    language: 'de',
    entities: ['PERSON', 'LOCATION', 'NRP', 'ORGANIZATION'],
    score_threshold: 0.5,
  });
  t.same(errors, []);
});

t.test('asks nobody about an input without words', async (t) => {
  const analyzer = await startAnalyzer();
  t.teardown(() => analyzer.close());
  const { scan } = open(t, analyzer.port);
  t.same((await scan({ a: 7, b: ['', '12:30', 'x'] })).tags, []);
  t.equal(analyzer.requests.length, 0);
});

const broken: Readonly<Record<string, RequestListener>> = {
  'an error': (_, response) => response.writeHead(500).end('{"error":"no"}'),
  'a redirect': (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'no JSON': (_, response) => response.end('<html>'),
  'no list': (_, response) => response.end('{"entities":[]}'),
  'something else': (_, response) => response.end('[{"entity_type":"PERSON","start":"0","end":4}]'),
  'an end before its start': (_, response) => response.end('[{"entity_type":"PERSON","start":4,"end":4}]'),
  'no object': (_, response) => response.end('[null]'),
  'too much': (_, response) => response.end(`["${'x'.repeat(1_100_000)}"]`),
  'half of it': (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('[');
    response.destroy();
  },
};

for (const [name, response] of Object.entries(broken)) {
  t.test(`${name}: closed says that the texts were not read, open goes on without`, async (t) => {
    const receiver = await startReceiver(response);
    t.teardown(() => receiver.close());
    const closed = open(t, receiver.port);
    const input = { note: 'Ada wrote to ada@example.com' };
    const scan = await closed.scan(input);
    t.same(scan.tags, ['PII', 'EMAIL_ADDRESS', 'UNSCANNED']);
    t.same(scan.redacted(), { note: 'Ada wrote to [EMAIL_ADDRESS]' });
    t.same(scan.values(), [['ada@example.com', '[EMAIL_ADDRESS]']]);
    t.equal(closed.errors.length, 1);
    const opened = open(t, receiver.port, { failure: 'open' });
    t.same((await opened.scan(input)).tags, ['PII', 'EMAIL_ADDRESS']);
    t.equal(opened.errors.length, 1);
  });
}

t.test('waits no longer than its time limit, and for nobody who is not there', async (t) => {
  const silence = await startSilence();
  t.teardown(() => silence.close());
  t.same((await open(t, silence.port, { timeoutMs: 20 }).scan('Ada was here')).tags, ['UNSCANNED']);
  await silence.close();
  t.same((await open(t, silence.port).scan('Ada was here')).tags, ['UNSCANNED']);
});

t.test('dials no metadata address, whoever names it', async (t) => {
  const { scan, errors } = open(t, 0, { url: 'http://169.254.169.254' });
  t.same((await scan('Ada was here')).tags, ['UNSCANNED']);
  t.match(errors, [{ message: 'address refused: metadata' }]);
});

t.test('takes only the entities it asked for, and a tag that is switched off not at all', async (t) => {
  const receiver = await startReceiver((_, response) =>
    response.end('[{"entity_type":"ZIP","start":0,"end":3},{"entity_type":"PERSON","start":0,"end":900}]'),
  );
  t.teardown(() => receiver.close());
  const { scan } = open(t, receiver.port, { url: `http://127.0.0.1:${receiver.port}/` });
  t.same(
    (await scan('Ada')).detections().map(({ tag, start, end }) => [tag, start, end]),
    [['PERSON', 0, 3]],
  );
  const silent = createDetector({ disabledTags: ['PERSON'] });
  t.same(silent.scan('Ada', new Map([['Ada', [{ tag: 'PERSON', start: 0, end: 3 }]]])).tags, []);
});

t.test('cuts long texts at spaces and reads so many and no more', async (t) => {
  const words = 'lorem ipsum '.repeat(2_000);
  const { chunks, unread } = chunksOf([words, 'short', 'x'.repeat(9_000)]);
  t.same(unread, []);
  t.equal(
    chunks
      .flatMap(({ parts }) => parts)
      .filter(({ text }) => text === words)
      .map(({ from, length }) => words.slice(from, from + length))
      .join(''),
    words,
  );
  for (const { text, parts } of chunks) {
    t.ok(text.length <= 8_000);
    for (const { at, from, length, text: whole } of parts)
      t.equal(text.slice(at, at + length), whole.slice(from, from + length));
  }
  const many = Array.from({ length: 40 }, (_, i) => `${i} ${'y'.repeat(7_000)}`);
  const bounded = chunksOf([...many, 'short']);
  t.equal(bounded.chunks.length, 32);
  t.equal(bounded.unread.length, 8);
  const receiver = await startReceiver((_, response) => response.end('[]'));
  t.teardown(() => receiver.close());
  t.same((await open(t, receiver.port).scan(many)).counts, [{ type: 'UNSCANNED', count: 8 }]);
  t.same((await open(t, receiver.port, { failure: 'open' }).scan(many)).counts, []);
});

t.test('reads each text once, and only what has letters', async (t) => {
  t.same(textsIn([{ a: 'one', b: ['one', 'two', 3, '4', null] }, null, 'three']).toSorted(), [
    'one',
    'three',
    'two',
  ]);
});
