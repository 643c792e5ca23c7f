import type { StatsSeries } from '../../schemas/stats.ts';
import { type StatsUnit, statsUnitMs } from '../../schemas/stats-words.ts';
import type { Call } from '../api/call.ts';
import type { Column } from '../output/output.ts';
import { sparkline } from './sparkline.ts';

interface Options {
  by?: string;
  unit?: StatsUnit;
  integration?: string;
  from?: string;
  to?: string;
}

export async function stats({ http, out, options }: Call<Options>): Promise<void> {
  const { by, unit = 'hour', integration: integrationId, from, to } = options;
  const query = { by, unit, integrationId, from, to };
  const { data } = await http.send<StatsSeries[]>({ method: 'GET', path: '/v1/stats', query });
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
    { title: (by ?? 'integration').toUpperCase(), of: ({ name }) => name },
    { title: 'EVALUATIONS', of: ({ evaluations }) => evaluations },
    { title: 'ALLOWED', of: ({ allowed }) => allowed },
    { title: 'WARNED', of: ({ warned }) => warned },
    { title: 'HELD', of: ({ held }) => held },
    { title: 'BLOCKED', of: ({ blocked }) => blocked },
    { title: 'MEAN MS', of: ({ latency }) => latency?.meanMs ?? '' },
    { title: 'MAX MS', of: ({ latency }) => latency?.maxMs ?? '' },
    { title: `BY ${unit.toUpperCase()}`, of: graph },
  ];
  out.list(data, columns, 'Nothing was evaluated in this time.');
}
