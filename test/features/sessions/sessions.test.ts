import t from 'tap';
import { defaultIntegrationSettings } from '../../../src/features/integrations/schema.ts';
import { hashedKey } from '../../../src/services/access/keys.ts';
import { startApp } from '../../helpers/app.ts';

const as = (id: string) => ({ id, settings: defaultIntegrationSettings });

t.test('metadata is measured in bytes as it was sent', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const { sessions } = app.services;
  const metadata = (bytes: number) => `{"é":"${'x'.repeat(bytes - 9)}"}`;
  t.equal(Buffer.byteLength(metadata(16_384)), 16_384);
  await sessions.create(as(id), {}, metadata(16_384), null);
  await t.rejects(sessions.create(as(id), {}, metadata(16_385), null), {
    code: 'invalid',
    details: [{ path: '/metadata', message: 'must be at most 16384 bytes of JSON' }],
  });
  t.equal((await sessions.list(id, {}, { page: 1, size: 1 })).pagination.total, 1);
});

const day = 86_400_000;

t.test('a session that asks for nothing lives a day, or as long as any may', async (t) => {
  for (const [days, life] of [
    ['30', day],
    ['0.5', day / 2],
  ] as const) {
    const app = await startApp(t, { ASSIZE_SESSION_MAX_DAYS: days });
    const { id } = await app.integration();
    const { text } = await app.services.sessions.create(as(id), {}, null, null);
    t.equal(Date.parse(JSON.parse(text).expiresAt) - app.clock.now(), life);
  }
});

t.test('what a service gives is what its text says, metadata apart', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const caller = await app.services.authentication.identify(hashedKey(key), '127.0.0.1');
  if (caller?.kind !== 'integration') throw new Error('there is no caller');
  const { sessions, evaluations } = app.services;
  const { id } = caller.integration;
  const metadata = '{"b":1,"10":12345678901234567890,"a":[ ]}';
  const same = ({ data, text }: { data: object; text: string }, tail = '') => {
    t.equal(text, `${JSON.stringify(data).slice(0, -1)}${tail}}`);
  };
  const once = (key: string) => ({ key, requestHash: key });
  const created = await sessions.create(caller.integration, {}, metadata, once('c'));
  same(created, `,"metadata":${metadata}`);
  const sessionId = created.data.id;
  const options = {
    transport: 'REST' as const,
    redact: true,
    idempotencyKey: once('e'),
    text: '',
  };
  const request = { input: { tool: 'x' }, sessionId, correlationId: 'c' };
  const evaluated = await evaluations.evaluate(caller, request, options);
  same(evaluated);
  t.match(evaluated, {
    replayed: false,
    data: { sessionId, correlationId: 'c', redactedInput: { tool: 'x' } },
  });
  const again = await evaluations.evaluate(caller, request, options);
  t.strictSame({ ...again.data }, { ...evaluated.data, replayed: true });
  same(await sessions.read(id, sessionId), `,"metadata":${metadata}`);
  const ended = await sessions.end(id, sessionId, 'COMPLETED', once('end'));
  same(ended);
  t.match(ended.data, { status: 'COMPLETED', actionCount: 1 });
  t.match(await sessions.end(id, sessionId, 'COMPLETED', once('end')), {
    data: { ...ended.data, replayed: true },
    replayed: true,
  });
});
