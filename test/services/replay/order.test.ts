import t from 'tap';
import type { SimulationLine } from '../../../src/schemas/replays.ts';
import { replay } from '../../../src/services/replay/replay.ts';
import { openReplaySource } from '../../../src/store/open.ts';
import { startApp } from '../../helpers/app.ts';

t.test(
  'parallel evaluations of one millisecond are replayed in the order in which they were recorded',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
    await app.policy(
      id,
      `
schemaVersion: 1
name: many
rules:
  - { id: many, when: session.actionCount >= 10, effect: WARN }
`,
    );
    const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
    const request = { sessionId: body.data.id, input: { tool: 'x' } };
    await Promise.all(Array.from({ length: 25 }, () => app.call(key, 'POST', '/v1/evaluate', request)));
    const source = await openReplaySource(app.database);
    const lines: SimulationLine[] = [];
    const options = { change: { bindings: [], lists: {} }, filter: {}, differences: 5, mostToolNames: 256 };
    await replay(
      source,
      options,
      (line) => void lines.push(line),
      async () => true,
    );
    source.close();
    t.match(lines.at(-1), { type: 'result', evaluations: 25, changed: 0 });
  },
);
