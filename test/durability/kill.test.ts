import t from 'tap';
import { temporaryFolder } from '../helpers/app.ts';
import { killAndProve } from './kills.ts';

t.test(
  'what was answered survives kill -9 under load, once, and every counter agrees with the rows and every event is delivered',
  async (t) => {
    const folder = temporaryFolder(t);
    const rounds = await killAndProve({ folder, kills: 6, mostResponses: 600, seed: 20_301_101 });
    t.equal(rounds.length, 6);
    for (const { kill, answered, wrong } of rounds) {
      t.ok(answered > 0, `kill ${kill} was under load`);
      t.strictSame(wrong, [], `after kill ${kill} nothing is lost, doubled or changed`);
    }
  },
);
