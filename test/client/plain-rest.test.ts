import t from 'tap';
import { listeningApp } from '../helpers/listen.ts';

/** What people write for themselves: a JSON content type on everything, `data` or the first message. */
const plainHelper =
  (url: string, key: string) =>
  async (method: string, path: string, body?: unknown): Promise<{ id: string; [field: string]: unknown }> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const envelope = JSON.parse(await response.text());
    if (envelope.errors) throw new Error(envelope.errors[0].message);
    return envelope.data;
  };

t.test(
  'a plain REST helper works: data, the first message, a JSON content type without a body',
  async (t) => {
    const app = await listeningApp(t);
    const call = plainHelper(app.url, (await app.integration()).key);
    const { id } = await call('POST', '/evaluation-sessions', { externalSessionId: 'mine' });
    t.match(await call('POST', '/evaluate', { input: { tool: 'look' }, sessionId: id }), { sessionId: id });
    t.match(await call('GET', `/evaluation-sessions/${id}`), { actionCount: 1 });
    t.match(await call('GET', '/evaluation-sessions'), [{ id }]);
    t.match(await call('POST', `/evaluation-sessions/${id}/end`), { status: 'COMPLETED' });
    await t.rejects(call('POST', `/evaluation-sessions/${id}/end`), /COMPLETED/);
    await t.rejects(plainHelper(app.url, 'wrong')('GET', '/reviews'), /invalid, expired or missing API key/);
  },
);
