import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Random } from '../durability/random.ts';
import { root } from '../helpers/process.ts';
import type { Cluster, ClusterOptions, Replica } from './cluster.ts';

/** What happens to a cluster under load. It serves again when the promise resolves. */
export type Fault = (cluster: Cluster, random: Random) => Promise<void>;

const anyOf = (cluster: Cluster, random: Random): Replica => random.pick(cluster.replicas);

export const faults = {
  async 'a replica is killed'(cluster, random) {
    const replica = anyOf(cluster, random);
    await replica.service.kill();
    await replica.start();
  },
  async 'PostgreSQL is killed'({ primary }) {
    await primary.kill();
    await primary.start();
  },
  /** A synchronous standby takes over. */
  async 'the primary is lost'(cluster) {
    await cluster.primary.kill();
    cluster.failOver();
    await cluster.follow(true);
  },
  /** Longer than PostgreSQL waits for a transaction. */
  async 'a replica hangs'(cluster, random) {
    const { service } = anyOf(cluster, random);
    process.kill(service.pid, 'SIGSTOP');
    await setTimeout(2_500);
    process.kill(service.pid, 'SIGCONT');
  },
  async 'a replica is cut off'(cluster, random) {
    const { link } = anyOf(cluster, random);
    link.partition();
    await setTimeout(1_000 + random.below(2_000));
    link.heal();
  },
  async 'connections are cut'(cluster) {
    for (let time = 0; time < 10; time++)
      await cluster.query(`SELECT pg_terminate_backend(pid), pg_sleep(0.01 * random()) FROM pg_stat_activity
        WHERE application_name = 'assize' AND pid <> pg_backend_pid()`);
  },
} satisfies Record<string, Fault>;

/** Commits are on their way to the disk when they are confirmed. The service refuses to start so, and is not asked again. */
async function confirmEarly({ query }: Cluster): Promise<void> {
  await query('ALTER SYSTEM SET synchronous_commit = off');
  await query('SELECT pg_reload_conf()');
}

export interface Scenario {
  fault: Fault;
  /** Before the load begins. */
  prepare?: (cluster: Cluster) => Promise<void>;
  program?: ClusterOptions['program'];
  /** A control: what was answered is not safe, so that something must be lost. */
  mustLose?: boolean;
}

export const scenarios: Record<string, Scenario> = {
  ...Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, { fault }])),
  'the primary is lost': { fault: faults['the primary is lost'], prepare: (cluster) => cluster.follow(true) },
  'control: answers before the commit, a replica is killed': {
    fault: faults['a replica is killed'],
    program: { main: join(root, 'src/main.ts'), preload: join(import.meta.dirname, 'early-answers.mjs') },
    mustLose: true,
  },
  'control: synchronous_commit=off, PostgreSQL is killed': {
    fault: faults['PostgreSQL is killed'],
    prepare: confirmEarly,
    mustLose: true,
  },
  'control: a standby that lags, the primary is lost': {
    async fault(cluster) {
      await cluster.cutStandby();
      const recorded = async () =>
        (await cluster.query<{ count: number }>('SELECT count(*)::int FROM evaluations'))[0]?.count ?? 0;
      const before = await recorded();
      while ((await recorded()) < before + 10) await setTimeout(5);
      await cluster.primary.kill();
      cluster.failOver();
      await cluster.follow(false);
    },
    prepare: (cluster) => cluster.follow(false),
    mustLose: true,
  },
};
