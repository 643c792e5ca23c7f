import t from 'tap';
import { adminKey, createClock, startApp } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { heldIntegration } from '../../helpers/reviews.ts';

t.test('one review or several are decided on the command line', async (t) => {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const held = await heldIntegration(app);
  const reviews = async (...args: string[]) => {
    const { code, out, err } = await run(['reviews', ...args, '--url', url, '--key', adminKey]);
    return { code, err, data: args.includes('--json') && out !== '' ? JSON.parse(out) : out };
  };
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) ids.push(await held.review({ input: { tool: 'pay', count } }));
  const [first = '', second = '', third = '', fourth = ''] = ids;
  t.match(await reviews('approve', first, '--reason', 'expected', '--json'), {
    code: 0,
    data: { status: 'APPROVED', reason: 'EXPECTED' },
  });
  t.match(await reviews('reject', second, third, '--reason', 'OTHER', '--json'), {
    code: 0,
    data: [
      { id: second, status: 'REJECTED' },
      { id: third, status: 'REJECTED' },
    ],
  });
  t.match((await reviews('show', first)).data, /\nREQUIRES\t1 of all reviewers\nAPPROVED BY\towner\n/);
  t.match(await reviews('approve', third, fourth), { code: 1, err: /1 of 2 were not decided/ });
  t.match(await reviews('approve', third, fourth, '--evaluation', first), { code: 2, err: /give one id/ });
});
