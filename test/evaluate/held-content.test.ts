import t from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { openDump } from '../helpers/database-dump.ts';
import { hold } from '../helpers/reviews.ts';

const action = {
  input: { tool: 'pay', to: 'ada@example.com', note: 'plain-note' },
  targetKey: 'bob@example.com',
  targetMetadata: { cc: 'eve@example.com', list: 'plain-list' },
  callbackUrl: 'https://hooks.example/plain-path?to=joe@example.com',
};
const masked = {
  input: { tool: 'pay', to: '[EMAIL_ADDRESS]', note: 'plain-note' },
  targetKey: '[EMAIL_ADDRESS]',
  targetMetadata: { cc: '[EMAIL_ADDRESS]', list: 'plain-list' },
};
const nothing = { input: null, targetKey: '[EMAIL_ADDRESS]', targetMetadata: null };
const whole = { input: action.input, targetKey: action.targetKey, targetMetadata: action.targetMetadata };

async function held(app: TestApp, settings: object, request: object = action) {
  const { id, key } = await app.integration('AGENT', settings);
  await app.policy(id, `${hold()}    message: 'pays {{input.to}}'\n`);
  const { body } = await app.call(key, 'POST', '/v1/evaluate', request);
  const reviewId: string = body.data.reviewRequestId;
  const of = (path: string, caller: string) =>
    app.call(caller, 'GET', path).then(({ body: { data } }) => (Array.isArray(data) ? data[0] : data));
  const content = ({ input, targetKey, targetMetadata }: typeof whole) => ({
    input,
    targetKey,
    targetMetadata,
  });
  return {
    key,
    reviewId,
    read: async (caller = adminKey) => content(await of(`/v1/reviews/${reviewId}`, caller)),
    message: async (): Promise<string> =>
      (await of(`/v1/reviews/${reviewId}`, adminKey)).violations[0].message,
    callback: async () => (await of(`/v1/reviews/${reviewId}`, adminKey)).callback,
    listed: async (caller = adminKey) => content(await of('/v1/reviews', caller)),
    decide: (verb: string) => app.call(adminKey, 'POST', `/v1/reviews/${reviewId}/${verb}`),
  };
}

/** A key of an operator who may read reviews and not decide them. */
async function reader(app: TestApp): Promise<string> {
  const operator = { name: 'reads', roles: ['READ_ONLY'] };
  const { body } = await app.call(adminKey, 'POST', '/v1/operators', operator);
  const made = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: body.data.id, name: 'k' });
  return made.body.data.key;
}

t.test('an operator sees the whole action while its review is PENDING, and nobody else does', async (t) => {
  for (const [contentRetention, kept] of [
    ['full', whole],
    ['redacted', masked],
    ['none', nothing],
  ] as const) {
    const app = await startApp(t);
    const { key, read, listed, decide } = await held(app, { contentRetention });
    t.strictSame(await read(), whole, contentRetention);
    t.strictSame(await read(key), kept, 'the integration');
    t.strictSame(await listed(), kept, 'a list');
    t.strictSame(await listed(key), kept);
    const { body } = await decide('approve');
    t.match(body.data, kept, 'the answer of the decision');
    t.strictSame(await read(), kept, 'after the decision');
  }
});

t.test('with reviewInput redacted a reviewer sees detected values masked', async (t) => {
  for (const [contentRetention, kept] of [
    ['full', whole],
    ['redacted', masked],
    ['none', nothing],
  ] as const) {
    const app = await startApp(t);
    const settings = { contentRetention, reviewInput: 'redacted' };
    const { key, read, listed, decide, message } = await held(app, settings);
    t.strictSame(await read(), masked, contentRetention);
    const others = contentRetention === 'none' ? nothing : masked;
    t.strictSame(await read(await reader(app)), others, 'an operator who may not decide');
    t.strictSame(await listed(), others, 'a list');
    t.strictSame(await read(key), kept, 'the integration');
    t.equal(await message(), contentRetention === 'none' ? 'the-rule' : 'pays [EMAIL_ADDRESS]');
    await decide('reject');
    t.strictSame(await read(), kept);
    t.strictSame(await listed(), kept);
  }
});

/** What must not be found in the database. */
const secrets = (retention: string): string[] => [
  'ada@example',
  'bob@example',
  'eve@example',
  'joe@example',
  ...(retention === 'none' ? ['plain-note', 'plain-list', 'plain-path'] : []),
];
const found = (dump: string, texts: readonly string[]) => texts.filter((text) => dump.includes(text));

t.test(
  'after the decision and the delivery the database holds no more than the setting allows',
  async (t) => {
    for (const contentRetention of ['redacted', 'none']) {
      const app = await startApp(t);
      const { decide, callback } = await held(app, { contentRetention });
      const dump = await openDump(t, app.database);
      const texts = secrets(contentRetention);
      t.strictSame(found(await dump(), texts), texts, 'a reviewer and a callback need it');
      const url =
        contentRetention === 'none'
          ? 'https://hooks.example'
          : 'https://hooks.example/plain-path?to=[EMAIL_ADDRESS]';
      t.equal((await callback()).url, url);
      await decide('approve');
      t.strictSame(
        found(await dump(), texts),
        texts.filter((text) => text === 'joe@example' || text === 'plain-path'),
        'the callback needs its address',
      );
      const [due] = await app.store.callbacks.claimDue(app.clock.now(), 1, app.clock.now());
      t.equal(due?.url, action.callbackUrl);
      await app.store.callbacks.recordFailed(due?.id ?? '', 'refused', app.clock.now() + 1);
      t.not(found(await dump(), texts).length, 0, 'it is tried again');
      await app.store.callbacks.recordDelivered(due?.id ?? '', app.clock.now());
      t.strictSame(found(await dump(), texts), []);
      t.match(await callback(), { status: 'DELIVERED', url });
    }
  },
);

t.test('a callback that is given up leaves no address behind', async (t) => {
  const app = await startApp(t);
  const { decide } = await held(app, { contentRetention: 'none' });
  await decide('reject');
  const [due] = await app.store.callbacks.claimDue(app.clock.now(), 1, app.clock.now());
  await app.store.callbacks.recordFailed(due?.id ?? '', 'refused', null);
  t.strictSame(found(await (await openDump(t, app.database))(), secrets('none')), []);
});

t.test('a review that expires undecided leaves nothing behind', async (t) => {
  const app = await startApp(t);
  const { read } = await held(app, { contentRetention: 'none' });
  for (let n = 0; n < 20; n++) await held(app, { contentRetention: 'redacted' });
  const dump = await openDump(t, app.database);
  app.clock.advance(899_999);
  await app.services.expiredReviews.sweep();
  t.strictSame(await read(), whole);
  app.clock.advance(1);
  t.strictSame(await read(), nothing, 'nobody sees it any more');
  await Promise.all([app.services.expiredReviews.sweep(), app.services.expiredReviews.sweep()]);
  t.strictSame(found(await dump(), secrets('redacted')), []);
});

t.test('expired content is deleted when the service starts', async (t) => {
  const app = await startApp(t);
  await held(app, { contentRetention: 'none' });
  app.clock.advance(900_000);
  app.services.expiredReviews.start();
  await app.services.expiredReviews.stop();
  t.strictSame(found(await (await openDump(t, app.database))(), secrets('none')), []);
});

t.test('content of an earlier attempt goes with the review', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(id, hold());
  const { body } = await app.call(key, 'POST', '/v1/evaluate', action);
  const settings = { contentRetention: 'none' };
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings });
  const { sessionId, reviewRequestId } = body.data;
  const again = await app.call(key, 'POST', '/v1/evaluate', { ...action, sessionId });
  t.equal(again.body.data.reviewRequestId, reviewRequestId);
  const read = () => app.call(adminKey, 'GET', `/v1/reviews/${reviewRequestId}`);
  t.match((await read()).body.data, whole);
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
  t.match((await read()).body.data, nothing);
});
