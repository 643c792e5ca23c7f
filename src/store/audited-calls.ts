import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditedBy, AuditedCall, AuditStore } from '../features/audit/store.ts';

export interface OngoingCall extends AuditedBy {
  call: AuditedCall;
}

/** Which management call the running code belongs to. */
export class AuditedCalls implements Pick<AuditStore, 'during' | 'within' | 'telling'> {
  readonly #ongoing = new AsyncLocalStorage<OngoingCall>();

  /** Undefined outside of a call. */
  current(): OngoingCall | undefined {
    return this.#ongoing.getStore();
  }

  readonly during: AuditStore['during'] = (call, by, work) => this.#ongoing.run({ call, ...by }, work);

  readonly within: AuditStore['within'] = (named, work) => this.#with(named, work);

  readonly telling: AuditStore['telling'] = (told, work) => this.#with({ told }, work);

  #with<T>(named: Partial<AuditedCall>, work: () => T): T {
    const ongoing = this.current();
    return ongoing ? this.#ongoing.run({ ...ongoing, call: { ...ongoing.call, ...named } }, work) : work();
  }
}

/** The id of what a change made: stores return it by its id. */
export function idOfChanged(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}
