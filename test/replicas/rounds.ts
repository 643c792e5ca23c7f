import { setTimeout } from 'node:timers/promises';
import { createCaller, type Sent } from '../durability/load.ts';
import { createRandom } from '../durability/random.ts';
import { type ClusterOptions, startCluster } from './cluster.ts';
import type { Scenario } from './faults.ts';
import { createSharedWorld, loadUntil } from './load.ts';
import { findLost, findWrong } from './proofs.ts';

export interface Round {
  answered: number;
  /** Got no answer, or 503. */
  unanswered: number;
  lost: string[];
  wrong: string[];
}
interface RoundsOptions extends Omit<ClusterOptions, 'program'> {
  rounds: number;
  seed: number;
  connections?: number;
  /** Once aborted, the round under way is the last one. */
  signal?: AbortSignal;
  onRound?: (round: Round) => void;
}

/** A round breaks the cluster after at least so many responses: while it is under load. */
const fewest = 50;
/** A slow machine gets no further than this, which is enough when it has answered the fewest. */
const mostMs = 60_000;

/** Lets something happen to a cluster under load so often, and looks each time for what was lost, doubled or miscounted. */
export async function loadThrough(
  { fault, prepare, program, mustLose = false }: Scenario,
  options: RoundsOptions,
): Promise<Round[]> {
  const { rounds: count, seed, connections = 24, signal, onRound } = options;
  const random = createRandom(seed);
  const cluster = await startCluster({ ...options, ...(program && { program }) });
  try {
    await prepare?.(cluster);
    const rounds: Round[] = [];
    // Not through the load balancer, which cuts off what a busy replica does when it fails its health check.
    const world = await createSharedWorld(cluster.replicas[0]?.service.url ?? cluster.url);
    await cluster.ready();
    while (rounds.length < count && !(signal?.aborted && rounds.length > 0)) {
      const caller = createCaller(cluster.url, connections);
      const ending = new AbortController();
      const journal: Sent[] = [];
      const loading = loadUntil(caller, world, random, connections, journal, ending.signal);
      const answeredCount = () => journal.filter(({ response }) => response !== null).length;
      const before = fewest + random.below(500);
      const startedAt = performance.now();
      while (answeredCount() < before && performance.now() - startedAt < mostMs) await setTimeout(5);
      if (answeredCount() < fewest) throw new Error(`only ${answeredCount()} requests were answered`);
      await fault(cluster, random);
      await cluster.ready();
      await setTimeout(200);
      ending.abort();
      await loading;
      const answered = answeredCount();
      const lost = await findLost(cluster, journal);
      await caller.close();
      // What was lost makes the rest wrong.
      const wrong = mustLose ? [] : await findWrong(cluster, journal);
      const round = { answered, unanswered: journal.length - answered, lost, wrong };
      rounds.push(round);
      onRound?.(round);
    }
    return rounds;
  } finally {
    await cluster.close();
  }
}
