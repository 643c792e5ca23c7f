import type { Timestamp } from '../../cel/index.ts';
import { parseJson } from '../../json/parse.ts';
import type { CountedRecord } from '../../schemas/counter-cells.ts';
import { CallArguments } from '../call-arguments.ts';
import { moment } from '../moment.ts';
import { notKept } from '../not-kept.ts';
import type { Subject } from '../subject.ts';
import type { ContentRead } from './content-read.ts';

interface Detection {
  readonly type: string;
  readonly in: string;
  readonly path: string;
}

/** A recorded action as the expressions of counters read it. What is costly to make is made when one first reads it. */
export class RecordedAction {
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
  /** What a mask may stand for: the record does not say whether it was kept masked. */
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

/** Of the session, what does not change while it lives. */
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
