import { setImmediate } from 'node:timers';
import t from 'tap';
import { importedInto, readListing } from '../../src/features/tools/imported-tools.ts';
import { createSteps } from '../../src/services/steps.ts';

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

t.test('others run between the steps of what takes long', async (t) => {
  const step = createSteps();
  let turns = 0;
  setImmediate(() => turns++);
  busy(6);
  await step();
  t.equal(turns, 1);
});

t.test('reading a listing and comparing it with a catalogue may pause at each tool', async (t) => {
  const tools = [...Array(500).keys()].map((place) => ({ name: `tool.${place}`, inputSchema: {} }));
  let steps = 0;
  const step = async () => void steps++;
  const listing = await readListing({ tools }, step);
  t.equal(steps, 500);
  const imported = await importedInto({ onChange: 'HOLD', tools: [] }, listing, 0, step);
  t.equal(steps, 1_000);
  await importedInto(imported.next, listing, 0, step);
  t.equal(steps, 1_500);
});
