import type { Lifetime } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { faults } from '../../replicas/faults.ts';
import { loadThrough } from '../../replicas/rounds.ts';
import { soakSqlite } from './sqlite.ts';

/** What happened, how often, and what was found wrong. */
export interface Findings {
  counts: Map<string, number>;
  wrong: string[];
  count(what: string, times?: number): void;
  /** A turn is over. */
  say(): void;
}

function createFindings(onTurn: (findings: Findings) => void): Findings {
  const counts = new Map<string, number>();
  const findings: Findings = {
    counts,
    wrong: [],
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    say: () => onTurn(findings),
  };
  return findings;
}

/** Each arm's part of the time. */
const share = { killed: 0.42, lived: 0.36, postgres: 0.22 };

export async function soak(
  lifetime: Lifetime & { comment(text: string): void },
  {
    minutes,
    seed,
    onTurn = () => undefined,
  }: { minutes: number; seed: number; onTurn?: (findings: Findings) => void },
) {
  const ms = minutes * 60_000;
  const sqlite = createFindings(onTurn);
  const use = await soakSqlite(lifetime, {
    killedMs: ms * share.killed,
    livedMs: ms * share.lived,
    seed,
    findings: sqlite,
  });
  const postgres = createFindings(onTurn);
  await soakPostgres(lifetime, { ms: ms * share.postgres, seed, findings: postgres });
  return { sqlite, use, postgres };
}

/** Two replicas, and a server with a synchronous standby that takes its place. */
async function soakPostgres(
  lifetime: Lifetime,
  { ms, seed, findings }: { ms: number; seed: number; findings: Findings },
): Promise<void> {
  const { 'the primary is lost': failOver, ...others } = faults;
  const happenings = Object.entries({ 'the primary is lost, and a standby takes over': failOver, ...others });
  let turn = 0;
  await loadThrough(
    {
      prepare: (cluster) => cluster.follow(true),
      async fault(cluster, random) {
        const [name, fault] = happenings[turn++ % happenings.length] as (typeof happenings)[number];
        await fault(cluster, random);
        findings.count(name);
      },
    },
    {
      folder: temporaryFolder(lifetime),
      rounds: Number.POSITIVE_INFINITY,
      replicas: 2,
      seed,
      signal: AbortSignal.timeout(ms),
      onRound({ answered, unanswered, lost, wrong }) {
        findings.count('changes answered', answered);
        findings.count('changes without a response', unanswered);
        findings.wrong.push(...lost, ...wrong);
        findings.say();
      },
    },
  );
}
