import t from 'tap';
import { startApp } from '../helpers/app.ts';

t.test('metadata is measured in bytes as it was sent', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const { sessions } = app.services;
  const metadata = (bytes: number) => `{"é":"${'x'.repeat(bytes - 9)}"}`;
  t.equal(Buffer.byteLength(metadata(16_384)), 16_384);
  await sessions.create(id, {}, metadata(16_384), null);
  await t.rejects(sessions.create(id, {}, metadata(16_385), null), {
    code: 'invalid',
    details: [{ path: '/metadata', message: 'must be at most 16384 bytes of JSON' }],
  });
  t.equal((await sessions.list(id, {}, { page: 1, size: 1 })).pagination.total, 1);
});

const day = 86_400_000;

t.test('expiresAt lies in the future and within the longest life, to the millisecond', async (t) => {
  const app = await startApp(t, { ASSIZE_SESSION_MAX_DAYS: '2' });
  const { id } = await app.integration();
  const now = app.clock.now();
  const create = async (at: number) =>
    JSON.parse(
      (await app.services.sessions.create(id, { expiresAt: new Date(at).toISOString() }, null, null)).text,
    );
  for (const at of [now + 1, now + 2 * day]) {
    t.equal((await create(at)).expiresAt, new Date(at).toISOString());
  }
  for (const [at, message] of [
    [now, 'must lie in the future'],
    [now - day, 'must lie in the future'],
    [now + 2 * day + 1, /^must not lie after 2030-01-03T00:00:00.000Z/],
  ] as const) {
    await t.rejects(create(at), { code: 'invalid', details: [{ path: '/expiresAt', message }] });
  }
});

t.test('a session that asks for nothing lives a day, or as long as any may', async (t) => {
  for (const [days, life] of [
    ['30', day],
    ['0.5', day / 2],
  ] as const) {
    const app = await startApp(t, { ASSIZE_SESSION_MAX_DAYS: days });
    const { id } = await app.integration();
    const { text } = await app.services.sessions.create(id, {}, null, null);
    t.equal(Date.parse(JSON.parse(text).expiresAt) - app.clock.now(), life);
  }
});
