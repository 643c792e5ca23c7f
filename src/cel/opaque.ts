/** A value without parts, such as an IP address: it is compared and printed as a whole. */
export abstract class Opaque {
  /** The name of its type: `net.IP`. */
  abstract readonly typeName: string;
  abstract equals(other: unknown): boolean;
  abstract toString(): string;
}
