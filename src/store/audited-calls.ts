import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditedBy, AuditedCall, AuditStore } from './audit.ts';

export interface OngoingCall extends AuditedBy {
  call: AuditedCall;
}

/** Which management call the running code belongs to. */
export class AuditedCalls implements Pick<AuditStore, 'during' | 'within'> {
  readonly #ongoing = new AsyncLocalStorage<OngoingCall>();

  /** Undefined outside of a call. */
  current(): OngoingCall | undefined {
    return this.#ongoing.getStore();
  }

  readonly during: AuditStore['during'] = (call, by, work) => this.#ongoing.run({ call, ...by }, work);

  readonly within: AuditStore['within'] = (named, work) => {
    const ongoing = this.current();
    return ongoing ? this.#ongoing.run({ ...ongoing, call: { ...ongoing.call, ...named } }, work) : work();
  };
}
