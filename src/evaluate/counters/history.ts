import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { CompiledCounter } from '../../policy/counters/compile-counter.ts';
import { Recount } from '../../policy/counters/recount.ts';
import { reachMs } from '../../policy/counters/window.ts';
import type { EvaluationStore } from '../../store/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { NewEvaluation } from '../evaluation.ts';
import type { DecidingPolicies } from '../in-force.ts';
import type { RecordResult } from '../port.ts';
import type { UncountedScope } from './counters.ts';

/** Counts what was recorded before an integration had a counter. */
export interface CounterHistory {
  /**
   * Records an evaluation that was not recorded because these scopes had not counted for all counters of the policies: counts them first.
   * The earlier record is read in small steps, so that other requests are served meanwhile; requests that wait for the same scope share
   * the work.
   */
  recordAgain(
    scopes: readonly UncountedScope[],
    deciding: DecidingPolicies,
    evaluation: NewEvaluation,
    decide: Parameters<EvaluationStore['record']>[1],
  ): Promise<Exclude<RecordResult, { kind: 'uncounted' }>>;
}

/** About a millisecond of the event loop. */
const recordsPerStep = 200;

export function createCounterHistory({ store }: { store: Store }): CounterHistory {
  const running = new Map<string, Promise<void>>();

  async function count(
    { policies, integration, needs, revision, delegators }: DecidingPolicies,
    { place, counters: younger }: UncountedScope,
    now: number,
  ): Promise<void> {
    const named = policies.flatMap(({ counters }) => counters.map((one) => [one.identity, one] as const));
    const counters = [...new Map(named).values()].filter(({ identity }) => younger.includes(identity));
    const known = counters.filter(({ content }) => content.isRecorded);
    const needsInput = known.some(({ content }) => content.inputFields?.size !== 0);
    const recount = new Recount(counters, integration);
    const { rows, last } =
      known.length === 0 ? nothing : await store.counters.listRecords(place, now - reachOf(known));
    for (let start = 0; start < rows.length; start += recordsPerStep) {
      recount.count(await store.counters.readRecords(rows.slice(start, start + recordsPerStep), needsInput));
      await setImmediate();
    }
    const upTo = { planned: needs.counters ?? [], delegators, revision };
    await store.counters.catchUp(place, upTo, last, now, (records) => recount.writesAfter(records));
  }

  async function catchUp(deciding: DecidingPolicies, scope: UncountedScope, now: number): Promise<void> {
    const key = JSON.stringify([scope.place, deciding.revision, deciding.delegators]);
    const work = running.get(key) ?? count(deciding, scope, now).finally(() => running.delete(key));
    running.set(key, work);
    await work;
  }

  return {
    async recordAgain(missing, deciding, evaluation, decide) {
      let scopes = missing;
      for (let attempts = 1; ; attempts++) {
        for (const scope of scopes) await catchUp(deciding, scope, evaluation.at);
        if (attempts === mostAttempts) break;
        const result = await store.evaluations.record(evaluation, decide);
        if (result.kind !== 'uncounted') return result;
        scopes = result.scopes;
      }
      throw new AppError('unavailable', 'counters are being counted from the record', {
        retryAfterSeconds: 1,
      });
    },
  };
}

/** Scopes may end while they are counted. */
const mostAttempts = 5;

/** For counters that no record can be counted for. */
const nothing = { rows: [], last: Number.MAX_SAFE_INTEGER };

/** How long ago an action may count; for ever when one has no window. */
const reachOf = (counters: readonly CompiledCounter[]): number =>
  Math.max(...counters.map(({ counting }) => reachMs(counting.window) ?? Number.POSITIVE_INFINITY));
