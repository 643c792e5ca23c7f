import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way from a replica to its database, which can break. */
export interface Link {
  port: number;
  /** Where new connections lead from now on. */
  leadTo(port: number): void;
  /** Nothing arrives any more, in either direction, and nobody is told: as when a cable is pulled. */
  partition(): void;
  /** New connections pass. Those from before the partition are closed. */
  heal(): void;
  /** The next so many commits happen, but the connection is cut before anybody is told. `passing`: commits that are told of first. */
  loseCommits(count: number, passing?: number): void;
  /** How many of them are still to come. */
  commitsToLose(): number;
  close(): void;
}

/** What PostgreSQL says once a transaction is committed. */
const committed = Buffer.from('COMMIT\0');

export async function openLink(target: number): Promise<Link> {
  let to = target;
  let isWhole = true;
  let toLose = 0;
  let toPass = 0;
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [socket, other] of [pair, [far, near]] as const) {
      socket.setNoDelay();
      socket.on('data', (chunk) => {
        if (!isWhole) return;
        if (socket === far && toLose > 0 && chunk.includes(committed) && toPass-- <= 0) {
          toLose--;
          far.destroy();
          near.destroy();
        } else other.write(chunk);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        if (isWhole) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      to = port;
    },
    partition() {
      isWhole = false;
    },
    heal() {
      cut();
      isWhole = true;
    },
    loseCommits(count, passing = 0) {
      toLose = count;
      toPass = passing;
    },
    commitsToLose: () => toLose,
    close() {
      cut();
      server.close();
    },
  };
}
