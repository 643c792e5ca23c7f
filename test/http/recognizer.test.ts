import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { startSilence } from '../services/callbacks/receiver.ts';
import { startAnalyzer } from '../services/recognition/analyzer.ts';

const policy = `
schemaVersion: 1
name: names-stay-here
rules:
  - id: name-outside
    when: '"PERSON" in dataTags || "UNSCANNED" in dataTags'
    effect: BLOCK
    severity: HIGH
`;
const text = 'hello world, my name is Jane Doe.';
const filler = 'one line of an ordinary report without anything to find in it. '.repeat(1_200);
const inputs = {
  small: { tool: 'mail.send', text },
  large: { tool: 'mail.send', text, filler },
};

t.test('a name in prose decides about small and large requests, and is masked', async (t) => {
  const analyzer = await startAnalyzer();
  t.teardown(() => analyzer.close());
  const url = `http://127.0.0.1:${analyzer.port}`;
  const app = await startApp(t, { ASSIZE_RECOGNIZER_URL: url, ASSIZE_RECOGNIZER_TIMEOUT_MS: '20000' });
  const { id, key } = await app.integration();
  await app.policy(id, policy);
  for (const input of Object.values(inputs)) {
    const { body } = await app.call(key, 'POST', '/v1/evaluate?redact=true', { input });
    t.equal(body.data.enforcementAction, 'BLOCK');
    t.ok(body.data.dataTags.includes('PERSON'));
    t.equal(body.data.redactedInput.text, 'hello world, my name is [PERSON].');
  }
  const harmless = { tool: 'mail.send', text: 'the name of nobody' };
  t.equal(
    (await app.call(key, 'POST', '/v1/evaluate', { input: harmless })).body.data.enforcementAction,
    'ALLOW',
  );
});

t.test(
  'a recogniser that is silent blocks or not, as configured, and the log says so without content',
  async (t) => {
    const silence = await startSilence();
    t.teardown(() => silence.close());
    for (const [failure, action] of [
      ['closed', 'BLOCK'],
      ['open', 'ALLOW'],
    ] as const) {
      const app = await startApp(t, {
        ASSIZE_RECOGNIZER_URL: `http://127.0.0.1:${silence.port}`,
        ASSIZE_RECOGNIZER_TIMEOUT_MS: '20',
        ASSIZE_RECOGNIZER_FAILURE: failure,
      });
      const { id, key } = await app.integration();
      await app.policy(id, policy);
      for (const input of Object.values(inputs))
        t.equal((await app.call(key, 'POST', '/v1/evaluate', { input })).body.data.enforcementAction, action);
      t.equal(app.log.filter((line) => line.includes('"level":50') || line.includes('error')).length, 2);
      t.notMatch(app.log.join(''), /Jane/);
    }
  },
);
