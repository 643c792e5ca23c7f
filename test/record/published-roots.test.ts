import t from 'tap';
import { openReceiver } from '../features/webhooks/receiver.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { exportRecord, recordHistory, verify } from '../helpers/record.ts';

t.test('a signed root is sent to webhooks as it is, once, and exports have it', async (t) => {
  const app = await startApp(t, {
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
    ASSIZE_SECRETS_KEY: Buffer.alloc(32, 'a').toString('base64'),
  });
  const receiver = await openReceiver(t);
  await recordHistory(app, { sessions: 1 });
  const { status } = await app.call(adminKey, 'POST', '/v1/webhooks', {
    name: 'witness',
    format: 'EVENTS',
    url: receiver.url,
    types: ['record.root'],
  });
  t.equal(status, 201);
  app.services.webhookDeliveries.start();
  await app.services.record.roots.sweep();
  const [first] = await receiver.take(1);
  const { type, subject, data } = JSON.parse(first?.body ?? '');
  t.strictSame({ type, subject }, { type: 'record.root', subject: 'record/roots' });
  t.strictSame([data], (await app.call(adminKey, 'GET', '/v1/record/roots')).body.data);
  t.strictSame(verify(await exportRecord(app), { expectedRoots: [data.hash] }).problems, []);

  await app.services.record.roots.sweep();
  const events = await app.call(adminKey, 'GET', '/v1/events?type=record.*', undefined, {
    accept: 'application/json',
  });
  const roots = await app.call(adminKey, 'GET', '/v1/record/roots');
  t.strictSame(
    events.body.data.events.map((event: { data: object }) => event.data),
    roots.body.data,
    'one event for each root',
  );
});
