/** A value that may be missing: what `a.?b`, `m[?k]` and `optional.of(x)` give. */
export class Optional {
  readonly present: boolean;
  readonly value: unknown;
  constructor(present: boolean, value: unknown) {
    this.present = present;
    this.value = value;
  }
}

export const NONE = new Optional(false, undefined);
export const some = (value: unknown): Optional => new Optional(true, value);
