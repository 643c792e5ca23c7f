import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const yaml = { 'content-type': 'application/yaml' };
const get = (app: TestApp, path: string) => app.call(adminKey, 'GET', `/v1/policies/${path}`);

async function twoVersions(app: TestApp, first: string, second: string): Promise<string> {
  const { id } = (await app.call(adminKey, 'POST', '/v1/policies', first, yaml)).body.data;
  await app.call(adminKey, 'PUT', `/v1/policies/${id}?note=stricter`, second, yaml);
  return id;
}

t.test('one version is read as it was sent, with its author and note', async (t) => {
  const app = await startApp(t);
  const id = await twoVersions(app, rule('true', 'WARN'), rule('true', 'BLOCK'));
  const { status, body } = await get(app, `${id}/versions/2`);
  t.equal(status, 200);
  t.match(body.data, { version: 2, document: rule('true', 'BLOCK'), note: 'stricter', current: true });
  t.equal(body.data.author.name, 'owner');
  t.match((await get(app, `${id}/versions/1`)).body.data, { version: 1, current: false, note: null });
  t.match(await get(app, `${id}/versions/3`), {
    status: 404,
    body: { errors: [{ message: 'there is no policy version 3' }] },
  });
});

t.test('two versions are compared in either direction, by part and as a unified diff', async (t) => {
  const app = await startApp(t);
  const id = await twoVersions(app, rule('true', 'WARN'), rule('true', 'BLOCK'));
  const { body } = await get(app, `${id}/versions/1/diff/2`);
  t.strictSame(
    { ...body.data, text: null },
    {
      policyId: id,
      from: 1,
      to: 2,
      changes: [
        {
          part: 'RULE',
          name: 'the-rule',
          change: 'CHANGED',
          before: { effect: 'WARN' },
          after: { effect: 'BLOCK' },
        },
      ],
      text: null,
    },
  );
  t.match(
    body.data.text,
    /^--- one-rule version 1\n\+\+\+ one-rule version 2\n@@ [^\n]+\n(?: [^\n]*\n)+- {4}effect: WARN\n\+ {4}effect: BLOCK\n/,
  );
  t.match((await get(app, `${id}/versions/2/diff/1`)).body.data.changes, [{ after: { effect: 'WARN' } }]);
  t.match((await get(app, `${id}/versions/2/diff/2`)).body.data, { changes: [], text: '' });
  for (const path of [`${id}/versions/1/diff/9`, `${id}/versions/9/diff/1`]) {
    t.match(await get(app, path), {
      status: 404,
      body: { errors: [{ message: 'there is no policy version 9' }] },
    });
  }
});

t.test('integers that a double cannot hold keep their digits', async (t) => {
  const app = await startApp(t);
  const id = await twoVersions(
    app,
    rule('true', 'WARN', 'params: { id: 9007199254740993 }'),
    rule('true', 'WARN', 'params: { id: 9007199254740995 }'),
  );
  t.match(
    (await get(app, `${id}/versions/1/diff/2`)).text,
    '"before":9007199254740993,"after":9007199254740995',
  );
});

t.test('documents that share nothing hold up nobody', async (t) => {
  const app = await startApp(t);
  const comments = (letter: string) =>
    Array.from({ length: 20_000 }, (_, line) => `# ${letter}${line}`).join('\n');
  const id = await twoVersions(app, rule('true', 'WARN', comments('a')), rule('true', 'WARN', comments('b')));

  const { body } = await get(app, `${id}/versions/1/diff/2`);

  t.strictSame(body.data.changes, []);
  t.match(body.data.text, /^-# a19999$/m);
  t.match(body.data.text, /^\+# b0$/m);
});
