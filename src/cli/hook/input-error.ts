import type { Caller } from './caller.ts';
import type { HookEvent } from './events.ts';

/** A hook input that cannot be evaluated. Its message quotes nothing of the input. */
export class HookInputError extends Error {
  /** Where the event is known, so that the refusal can take its form; null otherwise. */
  readonly call: { event: HookEvent; caller: Caller } | null;

  constructor(message: string, call: HookInputError['call'] = null) {
    super(message);
    this.call = call;
  }
}
