import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { AppError } from '../../src/errors.ts';
import { createOpenStreams } from '../../src/http/open-streams.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { callTool, modern, send } from './rpc.ts';

t.test('what no caller may see is logged, and answered without its words', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  app.services.reviews.list = async () => {
    throw new Error('secret words');
  };
  const { status, body } = await send(
    app,
    key,
    modern('tools/call', { name: 'list_reviews', arguments: {} }),
  );
  t.equal(status, 200);
  t.strictSame(body.error, { code: -32_603, message: 'internal server error' });
  t.match(app.log.join('\n'), 'secret words');
});

t.test('a store that fails makes a result that says when to try again', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  app.services.evaluations.evaluate = async () => {
    const cause = new Error('disk full');
    throw new AppError('unavailable', 'the store is not available', { cause, retryAfterSeconds: 1 });
  };
  const result = await callTool(app, key, 'evaluate', { input: {} });
  t.equal(result.isError, true);
  t.strictSame(result.content, [
    { type: 'text', text: 'unavailable: the store is not available; try again in 1 s' },
  ]);
  t.notMatch(JSON.stringify(result), 'disk full');
  t.match(app.log.join('\n'), 'disk full');
});

t.test('an approval that cannot be used says why', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const pay = { input: { tool: 'pay' } };
  const held = async () => (await callTool(app, key, 'evaluate', pay)).structuredContent;
  const approve = (review: string) => app.call(adminKey, 'POST', `/v1/reviews/${review}/approve`);
  const use = async ({ reviewRequestId, sessionId }: { reviewRequestId: string; sessionId: string }) =>
    (await callTool(app, key, 'evaluate', { ...pay, reviewRequestId, sessionId })).content[0].text;

  const unused = await held();
  await approve(unused.reviewRequestId);
  app.clock.advance(16 * 60_000);
  t.match(await use(unused), /the review expired before it was decided or used/);

  const pending = await held();
  t.match(await use(pending), new RegExp(`^APPROVAL_REQUIRED: .*"id":"${pending.reviewRequestId}"`));
  await approve(pending.reviewRequestId);
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED').replace('one-rule', 'later'));
  t.match(await use(pending), /rules hold the action that the reviewer did not see: the-rule \(later\)\./);
});

t.test(
  'a stream is kept while its key cannot be looked up, and ended when it is known to be gone',
  async (t) => {
    const errors: unknown[] = [];
    const streams = createOpenStreams((error) => errors.push(error));
    const stream = Object.assign(new EventEmitter(), {
      destroy() {
        stream.emit('close');
      },
    });
    const failure = new Error('no store');
    let looks = 0;
    const isAllowed = async () => {
      looks++;
      if (looks === 1) throw failure;
      return false;
    };
    streams.watch(stream, isAllowed, () => stream.destroy());
    // The look-out must not keep a process alive that has nothing else to do; this test has to.
    const alive = setInterval(() => undefined, 10_000);
    t.teardown(() => clearInterval(alive));
    await once(stream, 'close');
    t.strictSame(errors, [failure]);
    t.equal(looks, 2);
  },
);
