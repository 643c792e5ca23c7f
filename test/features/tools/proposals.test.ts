import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { proposeTool } from '../../../src/features/tools/propose.ts';
import type { ReadTool } from '../../../src/features/tools/tool-lists.ts';
import type { ToolEffect } from '../../../src/features/tools/words.ts';

interface Labelled {
  label: { effect: ToolEffect; destinations: string[]; untrustedResults: boolean };
  tool: ReadTool;
}
interface PublicList {
  package: string;
  version: string;
  tools: Labelled[];
}

/** Lists by folder of `fixtures/tool-lists`, with the least that proposals must reach. */
const folders = [
  { name: 'first', count: 20, effects: 0.95, destinations: 0.93, untrusted: 0.92 },
  { name: 'second', count: 16, effects: 0.97, destinations: 0.68, untrusted: 0.91 },
  { name: 'third', count: 20, effects: 0.94, destinations: 0.87, untrusted: 0.86 },
  // Never improved with.
  { name: 'fourth', count: 20, effects: 0.89, destinations: 0.45, untrusted: 0.84 },
  { name: 'fifth', count: 17, effects: 0.92, destinations: 0.24, untrusted: 0.73 },
  { name: 'sixth', count: 11, effects: 0.84, destinations: 0.13, untrusted: 0.73 },
];

function listsIn(name: string): PublicList[] {
  const folder = new URL(`../../fixtures/tool-lists/${name}/`, import.meta.url);
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
}

interface Score {
  tools: number;
  effects: number;
  untrusted: number;
  found: number;
  wrong: number;
  missed: number;
}
const zero = (): Score => ({ tools: 0, effects: 0, untrusted: 0, found: 0, wrong: 0, missed: 0 });
const f1 = ({ found, wrong, missed }: Score): number =>
  found + wrong + missed === 0 ? 1 : (2 * found) / (2 * found + wrong + missed);

function add(score: Score, label: Labelled['label'], other: Labelled['label']): void {
  const found = other.destinations.filter((path) => label.destinations.includes(path)).length;
  score.tools++;
  score.found += found;
  score.wrong += other.destinations.length - found;
  score.missed += label.destinations.length - found;
  if (other.effect === label.effect) score.effects++;
  if (other.untrustedResults === label.untrustedResults) score.untrusted++;
}

function scoreOf(tools: readonly Labelled[], withAnnotations: boolean, mistakes: string[]): Score {
  const score = zero();
  for (const { label, tool } of tools) {
    const { annotations: _, ...bare } = tool;
    const proposed = proposeTool(withAnnotations ? tool : bare);
    add(score, label, proposed);
    if (proposed.effect !== label.effect)
      mistakes.push(`${tool.name}: ${proposed.effect}, not ${label.effect}: ${proposed.reasons[0]?.reason}`);
    if (proposed.untrustedResults !== label.untrustedResults)
      mistakes.push(`${tool.name}: untrusted ${proposed.untrustedResults}`);
    if (proposed.destinations.join() !== label.destinations.join())
      mistakes.push(`${tool.name}: to ${proposed.destinations.join()}, not ${label.destinations.join()}`);
  }
  return score;
}

const figures = (score: Score): string =>
  [score.effects / score.tools, f1(score), score.untrusted / score.tools]
    .map((figure) => figure.toFixed(3))
    .join(' ');

for (const { name: folder, count, ...least } of folders)
  t.test(
    `what is proposed for the tools of ${count} public servers is what a person says of them (${folder})`,
    async (t) => {
      const lists = listsIn(folder);
      t.equal(lists.length, count);
      for (const withAnnotations of [false, true]) {
        const all = zero();
        const mistakes: string[] = [];
        t.comment(`${withAnnotations ? 'with' : 'without'} annotations: effects, destinations F1, untrusted`);
        for (const { package: name, version, tools } of lists) {
          const score = scoreOf(tools, withAnnotations, mistakes);
          for (const key of Object.keys(all) as (keyof Score)[]) all[key] += score[key];
          t.comment(`${figures(score)}  ${name} ${version} (${score.tools})`);
        }
        t.comment(`${figures(all)}  all (${all.tools})`);
        const shown = mistakes.join('\n');
        t.ok(all.effects / all.tools >= least.effects, `effects\n${shown}`);
        t.ok(f1(all) >= least.destinations, `destinations\n${shown}`);
        t.ok(all.untrusted / all.tools >= least.untrusted, `untrusted results\n${shown}`);
      }
    },
  );

t.test('two readings of the same tools agree far more than proposals do with either (fifth)', async (t) => {
  const again: Record<string, Record<string, Labelled['label']>> = JSON.parse(
    readFileSync(new URL('../../fixtures/tool-lists/fifth-again.json', import.meta.url), 'utf8'),
  );
  const score = zero();
  for (const { package: name, tools } of listsIn('fifth'))
    for (const { label, tool } of tools) {
      const other = again[name]?.[tool.name];
      if (!other) throw new Error(`${name} ${tool.name}: not read again`);
      add(score, label, other);
    }
  t.comment(`${figures(score)}  effects, destinations F1, untrusted (${score.tools})`);
  t.ok(score.effects / score.tools >= 0.97);
  t.ok(f1(score) >= 0.86);
  t.ok(score.untrusted / score.tools >= 0.9);
});

t.test(
  'a schema whose references lead on without end delays nobody, and its outer arguments are found',
  async (t) => {
    const referring = (count: number, target: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`part${place}`, { $ref: target }]));
    const to = { type: 'array', items: { type: 'string' } };
    const schemas = {
      circle: { type: 'object', properties: { ...referring(20, '#'), to } },
      chain: {
        type: 'object',
        properties: { ...referring(20, '#/$defs/one'), to },
        $defs: Object.fromEntries(
          ['one', 'two', 'three', 'four', 'five'].map((name, place, all) => [
            name,
            { type: 'object', properties: referring(20, `#/$defs/${all[place + 1]}`) },
          ]),
        ),
      },
      forms: {
        type: 'object',
        properties: { ...referring(1_000, '#'), to },
        anyOf: Array.from({ length: 2_000 }, () => ({ $ref: '#' })),
      },
    };
    for (const [name, inputSchema] of Object.entries(schemas)) {
      const before = process.cpuUsage().user;
      const { destinations } = proposeTool({ name: 'send_mail', inputSchema });
      const tookMs = (process.cpuUsage().user - before) / 1_000;
      t.ok(tookMs < 1_000, `${name}: ${tookMs.toFixed()} ms`);
      t.ok(destinations.includes('to'), name);
    }
  },
);
