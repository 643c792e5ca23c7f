import type { Command } from 'commander';
import type { Call } from '../../cli/api/call.ts';
import { createNames } from '../../cli/api/find.ts';
import { textOption, wordOption } from '../../cli/api-command.ts';
import type { Io } from '../../cli/io.ts';
import { addRow } from '../../cli/noun.ts';
import type { Column } from '../../cli/output.ts';
import type { StatsSeries } from './schema.ts';
import { type StatsUnit, statsDimensions, statsUnitMs, statsUnits } from './words.ts';

export const addStats = (program: Command, io: Io): void =>
  addRow(program, io, {
    name: 'stats',
    summary: 'show how many evaluations had which outcome, and how long they took',
    examples: ['assize stats', 'assize stats --by rule --unit day'],
    options: [
      wordOption('--by <dimension>', 'what to group by', statsDimensions),
      wordOption('--unit <unit>', 'time span of a column in the graph', statsUnits),
      textOption('--integration <id>', 'only the evaluations of one integration'),
      textOption('--from <time>', 'from this time on, such as 2030-01-31T12:00:00Z'),
      textOption('--to <time>', 'before this time'),
    ],
    act: stats,
  });

interface Options {
  by?: string;
  unit?: StatsUnit;
  integration?: string;
  from?: string;
  to?: string;
}

async function stats({ http, out, options }: Call<Options>): Promise<void> {
  const { by, unit = 'hour', integration: integrationId, from, to } = options;
  const query = { by, unit, integrationId, from, to };
  const { data } = await http.send<StatsSeries[]>({ method: 'GET', path: '/v1/stats', query });
  const dimension = by ?? 'integration';
  const { withNames } = createNames(http);
  const noun = { integration: { name: 'integrations' }, entity: { name: 'entities' } } as const;
  const series =
    !out.json && (dimension === 'integration' || dimension === 'entity')
      ? await Promise.all(data.map((one) => withNames(one, noun[dimension])))
      : data;
  const times = data.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const first = Math.min(...times);
  const slots = times.length === 0 ? 0 : (Math.max(...times) - first) / statsUnitMs[unit] + 1;
  const graph = ({ points }: StatsSeries): string => {
    const values = Array<number>(slots).fill(0);
    for (const { at, evaluations } of points)
      values[(Date.parse(at) - first) / statsUnitMs[unit]] = evaluations;
    return sparkline(values);
  };
  const columns: Column<StatsSeries>[] = [
    { title: dimension.toUpperCase(), of: ({ name }) => name },
    { title: 'EVALUATIONS', of: ({ evaluations }) => evaluations },
    { title: 'ALLOWED', of: ({ allowed }) => allowed },
    { title: 'WARNED', of: ({ warned }) => warned },
    { title: 'HELD', of: ({ held }) => held },
    { title: 'BLOCKED', of: ({ blocked }) => blocked },
    { title: 'MEAN MS', of: ({ latency }) => latency?.meanMs ?? '' },
    { title: 'MAX MS', of: ({ latency }) => latency?.maxMs ?? '' },
    { title: `BY ${unit.toUpperCase()}`, of: graph },
  ];
  out.list(series, columns, 'Nothing was evaluated in this time.');
}

const bars = '▁▂▃▄▅▆▇█';
/** A graph is at most so wide: further values are left out at its beginning. */
const widest = 72;

/** One character for each value, as high as its share of the highest; a space for none. */
function sparkline(values: readonly number[]): string {
  const shown = values.slice(-widest);
  const highest = Math.max(...shown, 1);
  return shown
    .map((value) => (value === 0 ? ' ' : bars[Math.ceil((value / highest) * bars.length) - 1]))
    .join('');
}
