import t from 'tap';
import { createDetector } from '../../src/detectors/index.ts';
import { createShownValues } from '../../src/evaluate/masked-messages.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { openDump } from '../helpers/database-dump.ts';

const document = `
schemaVersion: 1
name: show
rules:
  - id: shown
    name: Shown values
    when: 'true'
    effect: WARN
    message: "ask ops@corp.example about {{input}} for {{targetKey}}, {{input.note}}"
  - id: failing
    name: Failing
    when: input.missing == 1
    effect: WARN
`;
const password = 'correct horse';
const request = {
  input: {
    tool: 'x',
    password,
    card: 4111111111111111,
    note: `${'n'.repeat(190)} 4111111111111111`,
    n: 'plain',
  },
  targetKey: 'ada@example.com',
};

async function messages(app: TestApp, contentRetention: 'full' | 'redacted' | 'none') {
  const { id, key } = await app.integration('AGENT', { contentRetention });
  await app.policy(id, document);
  const { body } = await app.call(key, 'POST', '/v1/evaluate', request);
  const path = `/v1/evaluation-sessions/${body.data.sessionId}/evaluations`;
  const { body: list } = await app.call(key, 'GET', path);
  const of = (evaluation: { violations: { message: string }[] }) =>
    evaluation.violations.map(({ message }) => message);
  t.strictSame(of(list.data[0]), of(body.data), 'the answer says what is stored');
  return of(body.data);
}

t.test('rendered messages follow contentRetention', async (t) => {
  const full = await startApp(t);
  t.match((await messages(full, 'full'))[0], /correct horse.*4111111111111111.*for ada@example\.com/);

  const redacted = await startApp(t);
  const [shown = '', failed] = await messages(redacted, 'redacted');
  t.match(shown, /^ask ops@corp\.example about \{"tool":"x"/, 'what the policy itself says stays');
  t.match(shown, /for \[EMAIL_ADDRESS\], n+ \[/);
  t.notMatch(shown, /correct|4111|ada@/);
  t.match(failed, /^the rule "failing" .* no such field "missing"/);
  t.notMatch(await (await openDump(t, redacted.database))(), /correct horse|41111111|ada@example/);

  const none = await startApp(t);
  t.strictSame(await messages(none, 'none'), ['Shown values', 'Failing']);
  t.notMatch(await (await openDump(t, none.database))(), /correct horse|41111111|ada@example|nnnn/);
});

t.test('a value that was detected by its key is masked wherever a message shows it', async (t) => {
  const detector = createDetector();
  const show = (input: unknown) => createShownValues(detector, { values: detector.scan(input).values() });
  const secret = show({ password: 'say "friend"\n' });
  t.notMatch(secret('it was say "friend"\n'), /friend/);
  t.notMatch(secret(JSON.stringify({ a: 'say "friend"\n' })), /friend/);
  t.equal(show({})('no tags at all'), 'no tags at all');
  const digits = show([4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  t.notMatch(digits('[4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]'), /1,1,1/);
});

t.test('a short value is masked only where it stands alone', async (t) => {
  const show = createShownValues(createDetector(), { values: [['cat', '[PASSWORD]']] });
  t.equal(show('cat, concat, cats and cat'), '[PASSWORD], concat, cats and [PASSWORD]');
});

t.test('only the beginning of a long text is looked at', async (t) => {
  const show = createShownValues(createDetector(), { values: [] });
  t.equal(show('x '.repeat(500_000)).length, 1_024);
});

t.test(
  'values that overlap, and one that goes on where the shown text ends, are masked as a whole',
  async (t) => {
    const long = `key ${'k'.repeat(3_000)}`;
    const show = createShownValues(createDetector(), {
      values: [
        ['first of second', '[A]'],
        ['of second and third', '[B]'],
        ['second', '[C]'],
        [long, '[D]'],
      ],
    });
    t.equal(show('it is first of second and third, second'), 'it is [A], [C]');
    t.equal(show(`${'x '.repeat(500)}${long}`), `${'x '.repeat(500)}[D]`);
  },
);

t.test('#36: the messages of one evaluation compare and scan a bounded amount', async (t) => {
  const shownOf = (values: [string, string][], text: string) => {
    const show = createShownValues(createDetector(), { values });
    return Array.from({ length: 300 }, () => show(text)).filter((one) => one !== '[NOT SHOWN]').length;
  };
  const alike = Array.from({ length: 900 }, (_, length): [string, string] => [
    `${'a'.repeat(length + 10)}b`,
    '[A]',
  ]);
  t.equal(shownOf(alike, 'a'.repeat(4_096)), 0, 'every value could be at every place');
  const phones = Array.from({ length: 9_000 }, (_, n): [string, string] => [
    `+49 30 ${100_000 + n}`,
    '[PHONE]',
  ]);
  t.equal(
    shownOf(phones, '+49 30 1'.repeat(512)),
    22,
    'values that begin alike are no reason to hide a text',
  );
  t.equal(shownOf([], 'x '.repeat(10)), 292, 'a short text takes little of it');
});

t.test('an empty value masks nothing', async (t) => {
  const show = createShownValues(createDetector(), {
    values: [
      ['', '[X]'],
      ['plain', '[Y]'],
    ],
  });
  t.equal(show('a plain text'), 'a [Y] text');
});
