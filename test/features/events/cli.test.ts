import t from 'tap';
import { run } from '../../helpers/command.ts';
import { heldIntegration } from '../../helpers/reviews.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

t.test('events are shown and filtered, on the database and over HTTP', async (t) => {
  const { app, sides } = await serveCli(t);
  const held = await heldIntegration(app, '', { maxPendingReviewsInSession: 210 });
  for (let count = 0; count < 210; count++) await held.evaluate({ input: { tool: 'pay', count } });
  for (const target of sides) {
    const tail = async (...args: string[]) => {
      const { code, out, err } = await run(['events', 'tail', '--no-follow', ...args, ...target]);
      t.strictSame([code, err], [0, ''], args.join(' '));
      return out.trimEnd().split('\n');
    };
    const last = await tail();
    t.equal(last.length, 10);
    t.match(last.at(-1), /Z\t\d+\treview\.opened\tHIGH\tpay\ttest AGENT\treviews\/[0-9a-f-]{36}$/);
    const all = (await tail('--after', '0', '--json')).map((line) => JSON.parse(line));
    t.strictSame(
      all.map(({ sequence }) => Number(sequence)),
      all.map((_, place) => place + 1),
      'every page of the log, in order',
    );
    t.equal(all.length, 4 + 2 * 210);
    const two = await tail('--type', 'evaluation.*', '--integration', held.id, '--last', '2', '--json');
    t.match(
      two.map((line) => JSON.parse(line)),
      [{ type: 'evaluation.held' }, { type: 'evaluation.held' }],
    );
    t.strictSame(await tail('--last', '0'), ['']);
    const wrong = await run(['events', 'tail', '--type', 'x', ...target]);
    t.match(wrong, { code: 1, err: /must be types separated by commas/ });
  }
});
