import t from 'tap';
import { heldIntegration } from '../../helpers/reviews.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

t.test('one review or several are decided on the command line', async (t) => {
  const { app, assize } = await serveCli(t);
  const held = await heldIntegration(app);
  const reviews = (...args: string[]) => assize('reviews', ...args);
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
