/** By which a RESULT finds what its action reserved. */
export interface ActionIds {
  readonly id: string;
  readonly resultOf: string | null;
}
