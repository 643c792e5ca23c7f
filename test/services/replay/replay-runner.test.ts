import t from 'tap';
import { createReplayRunner } from '../../../src/services/replay/replay-runner.ts';
import { startApp } from '../../helpers/app.ts';
import { until } from '../../helpers/until.ts';

t.test('one replay runs at a time, and one that is cancelled makes way for the next', async (t) => {
  const app = await startApp(t);
  const runner = createReplayRunner(app.database);
  t.teardown(() => runner.close());
  const options = { change: { bindings: [], lists: {} }, filter: {}, differences: 5, mostToolNames: 256 };
  const run = async (signal: AbortSignal) => {
    const types: string[] = [];
    for await (const { type } of runner.run(options, signal)) types.push(type);
    return types;
  };
  const cancel = new AbortController();
  const cancelled = run(cancel.signal);
  t.throws(() => runner.run(options, cancel.signal), { code: 'unavailable' });
  cancel.abort();
  t.notOk((await cancelled).includes('error'), 'to be cancelled is no error');
  t.equal((await run(new AbortController().signal)).at(-1), 'result');
});

t.test('one that has its result makes way, before its thread has ended', async (t) => {
  const app = await startApp(t);
  const runner = createReplayRunner(app.database);
  t.teardown(() => runner.close());
  const options = { change: { bindings: [], lists: {} }, filter: {}, differences: 5, mostToolNames: 256 };
  const { signal } = new AbortController();
  const next = async (left: number): Promise<void> => {
    for await (const { type } of runner.run(options, signal))
      if (type === 'result' && left > 0) await next(left - 1);
  };
  await t.resolves(next(3));
});

t.test('one whose lines nobody reads, because its caller has left, makes way too', async (t) => {
  const app = await startApp(t);
  const runner = createReplayRunner(app.database);
  t.teardown(() => runner.close());
  const options = { change: { bindings: [], lists: {} }, filter: {}, differences: 5, mostToolNames: 256 };
  const lines = runner.run(options, AbortSignal.abort());
  await lines[Symbol.asyncIterator]().return?.();
  const next = await until(
    () => {
      try {
        return runner.run(options, new AbortController().signal);
      } catch {
        return null;
      }
    },
    (started) => started !== null,
  );
  let last = '';
  for await (const { type } of next ?? []) last = type;
  t.equal(last, 'result');
});
