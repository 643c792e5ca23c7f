import { CelError, createBudget, type Timestamp } from '../../cel/index.ts';
import { parseJson } from '../../json/parse.ts';
import type {
  CountedRecord,
  CounterCell,
  CounterCells,
  CounterScope,
  CounterWrite,
} from '../../schemas/counter-cells.ts';
import { moment } from '../activation.ts';
import { CallArguments } from '../call-arguments.ts';
import { notKept, type Subject } from '../subject.ts';
import type { CompiledCounter, ContentRead } from './compile-counter.ts';
import { countedBy, counterWrites, isReserved, settledBy } from './count.ts';
import { withAmount } from './tally.ts';

/** More than one action can take: records are counted in small steps. */
const stepsPerRecord = 200_000;

/**
 * Counts what was recorded before a counter was there, as if it had been: all records of one scope, in the order in which they
 * were made. A counter for which a record does not have the content keeps nothing.
 */
export class Recount {
  readonly #counters: readonly CompiledCounter[];
  readonly #integration: object;
  readonly #cells: Cells;
  readonly #unknown: Set<string>;

  /** `counters`: of one scope, with different identities. */
  constructor(counters: readonly CompiledCounter[], integration: object, before?: Recount) {
    this.#counters = counters;
    this.#integration = integration;
    this.#cells = before ? before.#cells.copy() : new Cells(new Map());
    const unknown = counters.filter(({ content }) => !content.isRecorded).map(({ identity }) => identity);
    this.#unknown = new Set(before ? before.#unknown : unknown);
  }

  count(records: readonly CountedRecord[]): void {
    for (const record of records) {
      const action = new RecordedAction(record, this.#integration);
      for (const counter of this.#counters) {
        if (this.#unknown.has(counter.identity)) continue;
        if (!countRecord(counter, action, this.#cells)) this.#unknown.add(counter.identity);
      }
    }
  }

  /** The writes that store the counters after these records as well. Changes nothing. */
  writesAfter(records: readonly CountedRecord[]): CounterWrite[] {
    const after = new Recount(this.#counters, this.#integration, this);
    after.count(records);
    return after.#counters.flatMap(({ identity, over }) => {
      const kept = after.#unknown.has(identity) ? undefined : after.#cells.all.get(identity);
      if (kept === undefined) return [];
      const { named, endsAt } = kept;
      return [...named].map(
        ([name, cell]): CounterWrite => ({ counter: identity, scope: over, name, becomes: cell, endsAt }),
      );
    });
  }
}

const budget = createBudget();

/** False when the record does not have the content that says whether and what it counts. */
function countRecord(counter: CompiledCounter, action: RecordedAction, cells: Cells): boolean {
  const { record } = action;
  const settles = counter.on !== record.phase;
  if (settles && !isReserved(counter, cells, record)) return true;
  const isKnown = action.show(counter.content);
  budget.left = stepsPerRecord;
  const counted = (settles ? settledBy : countedBy)(counter, action, budget);
  if (counted === null) return true;
  // An action that failed to count then was not counted, and took `onError`.
  if (counted instanceof CelError) return isKnown;
  for (const write of counterWrites([counted], record.enforcementAction, cells, record.at, record))
    cells.write(write);
  return true;
}

interface Kept {
  readonly named: Map<string, CounterCell>;
  endsAt: number | null;
}

class Cells implements CounterCells {
  readonly all: Map<string, Kept>;
  constructor(all: Map<string, Kept>) {
    this.all = all;
  }
  /** Cells are replaced, never changed, so they can be shared. */
  copy(): Cells {
    return new Cells(
      new Map(
        [...this.all].map(([counter, { named, endsAt }]) => [counter, { named: new Map(named), endsAt }]),
      ),
    );
  }
  find(counter: string, _scope: CounterScope, name: string): CounterCell | null {
    return this.all.get(counter)?.named.get(name) ?? null;
  }
  write({ counter, name, becomes, endsAt }: CounterWrite): void {
    let kept = this.all.get(counter);
    if (kept === undefined) {
      kept = { named: new Map(), endsAt };
      this.all.set(counter, kept);
    }
    kept.endsAt = endsAt;
    if (!('amount' in becomes)) kept.named.set(name, becomes);
    else {
      const { slice, amount, first } = becomes;
      const before = kept.named.get(name);
      kept.named.set(name, {
        slices: withAmount(before?.slices ?? [], slice, amount, first),
        latest: Math.max(slice, before?.latest ?? slice),
        overflow: null,
        resets: 0,
      });
    }
  }
}

interface Detection {
  readonly type: string;
  readonly in: string;
  readonly path: string;
}

/** A recorded action as the expressions of counters read it. What is costly to make is made when one first reads it. */
class RecordedAction {
  readonly record: CountedRecord;
  readonly tool: string;
  readonly phase: string;
  readonly result: { readonly status: string };
  readonly integration: object;
  readonly session: RecordedSession;
  #input: unknown;
  #shows = true;
  #masked: { readonly fields: ReadonlySet<string>; readonly targetKey: boolean } | undefined;

  constructor(record: CountedRecord, integration: object) {
    this.record = record;
    this.tool = record.tool;
    this.phase = record.phase;
    this.result = { status: record.resultStatus ?? '' };
    this.integration = integration;
    this.session = new RecordedSession(record);
  }

  /** From now on shows what such expressions may read: nothing of the content unless all that they read was kept as sent. */
  show({ inputFields, targetKey }: ContentRead): boolean {
    this.#shows = true;
    if (inputFields !== null && inputFields.size === 0 && !targetKey) return true;
    const readsInput = inputFields === null || inputFields.size > 0;
    if (readsInput && this.record.input === null) this.#shows = false;
    else if (this.record.detections !== null) {
      const masked = this.#maskedParts();
      const hidesInput =
        readsInput &&
        (inputFields === null
          ? masked.fields.size > 0
          : masked.fields.has('') || [...inputFields].some((field) => masked.fields.has(field)));
      this.#shows = !hidesInput && !(targetKey && masked.targetKey);
    }
    return this.#shows;
  }

  get input(): unknown {
    if (!this.#shows || this.record.input === null) return notKept;
    this.#input ??= parseJson(this.record.input);
    return this.#input;
  }
  get arguments(): object {
    return this.phase === 'ACTION' ? new CallArguments(this.input as Subject['input']).value : {};
  }
  get targetKey(): unknown {
    return this.#shows ? (this.record.targetKey ?? '') : notKept;
  }
  get cost(): object {
    return this.record.cost === null ? {} : (JSON.parse(this.record.cost) as object);
  }
  get dataTags(): readonly string[] {
    return this.record.dataTags === null ? [] : (JSON.parse(this.record.dataTags) as string[]);
  }
  get detections(): readonly { type: string; count: number }[] {
    const counts = new Map<string, number>();
    for (const { type } of this.#detections()) counts.set(type, (counts.get(type) ?? 0) + 1);
    return [...counts].map(([type, count]) => ({ type, count }));
  }
  get now(): Timestamp | undefined {
    return moment(this.record.at);
  }
  get decision(): object {
    const { enforcementAction, severity, violations } = this.record;
    const rules = violations === null ? [] : (JSON.parse(violations) as { ruleId: string }[]);
    return { enforcementAction, severity, rules: rules.map(({ ruleId }) => ruleId) };
  }

  #detections(): readonly Detection[] {
    const { detections } = this.record;
    return detections === null ? [] : (JSON.parse(detections) as Detection[]);
  }
  /** The fields that a mask may stand in: the record does not say whether they were kept masked. */
  #maskedParts(): { readonly fields: ReadonlySet<string>; readonly targetKey: boolean } {
    if (this.#masked === undefined) {
      const found = this.#detections();
      const inInput = found.filter((one) => one.in === 'input');
      const first = ({ path }: Detection): string =>
        (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
      this.#masked = {
        fields: new Set(inInput.map(first)),
        targetKey: found.some((one) => one.in === 'targetKey'),
      };
    }
    return this.#masked;
  }
}

/** The part of a session that does not change while it lives. */
class RecordedSession {
  readonly id: string;
  readonly entityId: string | null;
  readonly #metadata: string;
  readonly #startedAt: number;

  constructor({ session, at }: CountedRecord) {
    this.id = session?.id ?? '';
    this.entityId = session?.entityId ?? null;
    this.#metadata = session?.metadata ?? '{}';
    this.#startedAt = session?.startedAt ?? at;
  }
  get metadata(): unknown {
    return parseJson(this.#metadata);
  }
  get startedAt(): Timestamp | undefined {
    return moment(this.#startedAt);
  }
}
