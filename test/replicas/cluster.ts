import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgres, startStandby } from '../../scripts/develop/postgres.mjs';
import { type ServiceProcess, startService } from '../durability/process.ts';
import { freePort } from '../helpers/free-port.ts';
import { isReady, startBalancer } from './balancer.ts';
import { type Link, openLink } from './link.ts';

export interface Replica {
  service: ServiceProcess;
  link: Link;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
}

/** Replicas in processes of their own behind a load balancer, on one PostgreSQL server, which each reaches by a link. */
export interface Cluster {
  url: string;
  replicas: Replica[];
  /** The server that takes writes. */
  primary: PostgresServer;
  standby: PostgresServer | null;
  /** Waits until all replicas serve, and the load balancer knows. */
  ready(): Promise<void>;
  /** Directly at the primary. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  /** The standby gets nothing more from the primary. */
  cutStandby(): Promise<void>;
  /** Makes the standby the primary, to which all links lead. */
  failOver(): void;
  /** A new standby of the primary; synchronous when commits wait for it. */
  follow(synchronous: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Where files of the cluster may be. */
  folder: string;
  replicas: number;
  env?: Record<string, string>;
  /** How each replica is started instead of as it is built. */
  program?: { main: string; preload: string };
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const stops: (() => unknown)[] = [];
  async function close(): Promise<void> {
    for (const stop of stops.splice(0).reverse()) await stop();
  }
  try {
    return await start(options, close, stops);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  { folder, replicas: count, env, program }: ClusterOptions,
  close: Cluster['close'],
  stops: (() => unknown)[],
): Promise<Cluster> {
  let primary = await startPostgres();
  stops.push(primary.stop);
  let standby: PostgresServer | null = null;

  async function queryAt<Row extends pg.QueryResultRow>(address: string, text: string): Promise<Row[]> {
    const client = new pg.Client(address);
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
  const query = <Row extends pg.QueryResultRow>(text: string) => queryAt<Row>(primary.address, text);
  async function startReplica(): Promise<Replica> {
    const link = await openLink(primary.port);
    stops.push(link.close);
    const port = await freePort();
    const start = () =>
      startService(`postgres://assize@127.0.0.1:${link.port}/postgres`, {
        ...program,
        env: { ASSIZE_RECORD_KEY_FILE: join(folder, 'record-key.pem'), ASSIZE_PORT: `${port}`, ...env },
      });
    const replica: Replica = {
      link,
      service: await start(),
      async start() {
        replica.service = await start();
      },
    };
    stops.push(() => replica.service.kill());
    return replica;
  }
  // The first one migrates the database, and makes the key.
  const replicas = [await startReplica()];
  replicas.push(...(await Promise.all(Array.from({ length: count - 1 }, startReplica))));
  const balancer = await startBalancer(
    folder,
    replicas.map(({ service }) => Number(new URL(service.url).port)),
  );
  stops.push(balancer.stop);
  return {
    url: balancer.url,
    replicas,
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    async ready() {
      for (const url of [...replicas.map(({ service }) => service.url), balancer.url])
        while (!(await isReady(url))) await setTimeout(20);
    },
    query,
    async cutStandby() {
      if (!standby) throw new Error('there is no standby');
      await queryAt(standby.address, "ALTER SYSTEM SET primary_conninfo = ''");
      await queryAt(standby.address, 'SELECT pg_reload_conf()');
      while ((await query('SELECT 1 FROM pg_stat_replication')).length > 0) await setTimeout(5);
    },
    failOver() {
      if (!standby) throw new Error('there is no standby');
      standby.promote();
      primary = standby;
      standby = null;
      for (const { link } of replicas) link.leadTo(primary.port);
    },
    async follow(synchronous) {
      standby = await startStandby(primary);
      stops.push(standby.stop);
      await query(`ALTER SYSTEM SET synchronous_standby_names = '${synchronous ? 'standby' : ''}'`);
      await query('SELECT pg_reload_conf()');
      const state = synchronous ? 'sync' : 'async';
      while (
        (
          await query(
            `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`,
          )
        ).length === 0
      ) {
        await query('SELECT pg_sleep(0.05)');
      }
    },
    close,
  };
}
