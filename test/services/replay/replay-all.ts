import type { SimulationLine } from '../../../src/schemas/replays.ts';
import { type ReplayOptions, replay } from '../../../src/services/replay/replay.ts';
import { openReplaySource } from '../../../src/store/open.ts';
import type { ReplaySource } from '../../../src/store/replay.ts';

/** Replays what a database has recorded, without a pause. `reads` sees the source first. */
export async function replayAll(
  database: string,
  options: Partial<ReplayOptions> = {},
  reads: (source: ReplaySource) => ReplaySource = (source) => source,
) {
  const source = await openReplaySource(database);
  const lines: SimulationLine[] = [];
  const unchanged = { change: { bindings: [], lists: {} }, filter: {}, differences: 50, mostToolNames: 256 };
  try {
    await replay(
      reads(source),
      { ...unchanged, ...options },
      (line) => void lines.push(line),
      async () => true,
    );
  } finally {
    source.close();
  }
  const result = lines.find((line) => line.type === 'result');
  if (result?.type !== 'result') throw new Error('the replay has no result');
  return { result, differences: lines.filter((line) => line.type === 'difference') };
}
