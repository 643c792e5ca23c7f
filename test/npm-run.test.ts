import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from './helpers/app.ts';
import { serveProcess } from './helpers/process.ts';

t.setTimeout(120_000);

t.test('a supervisor that stops npm stops the service', async (t) => {
  const served = serveProcess(
    t,
    { ASSIZE_DATABASE: join(temporaryFolder(t), 'data/assize.db') },
    { node: 'npm', args: ['run', 'assize', '--', 'serve'] },
  );
  const url = await served.url();
  t.equal((await fetch(`${url}/health/live`)).status, 200);
  await served.stop();
  await t.rejects(fetch(`${url}/health/live`));
});
