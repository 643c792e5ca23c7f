import { type CelType, commonType, sameType, type TypeVariable, types } from '../type.ts';

/**
 * Finds the types of type variables with the algorithm of cel-go's checker: `dyn` fits anything either way, a
 * variable takes the first type it meets and gives way to a less specific one later.
 */
export class Inference {
  private readonly bound = new Map<number, CelType>();
  /** The assignments to restore when an attempt fails, oldest first. */
  private readonly trail: { id: number; before: CelType | undefined }[] = [];
  private nextId = 0;

  fresh(): TypeVariable {
    this.nextId += 1;
    return { kind: 'variable', id: this.nextId };
  }

  /** The type with its bound variables replaced; unbound ones stay. */
  substitute(type: CelType): CelType {
    switch (type.kind) {
      case 'variable': {
        const known = this.bound.get(type.id);
        return known === undefined ? type : this.substitute(known);
      }
      case 'list':
        return types.list(this.substitute(type.element));
      case 'optional':
        return types.optional(this.substitute(type.value));
      case 'map':
        return { kind: 'map', key: this.substitute(type.key), value: this.substitute(type.value) };
      default:
        return type;
    }
  }

  /** The final type: variables that nothing has bound become dyn. */
  settle(type: CelType): CelType {
    const known = this.substitute(type);
    switch (known.kind) {
      case 'variable':
        return types.dyn;
      case 'list':
        return types.list(this.settle(known.element));
      case 'optional':
        return types.optional(this.settle(known.value));
      case 'map':
        return { kind: 'map', key: this.settle(known.key), value: this.settle(known.value) };
      default:
        return known;
    }
  }

  /** The type, or dyn when it is still an unbound variable. */
  openAsDyn(type: CelType): CelType {
    const known = this.substitute(type);
    return known.kind === 'variable' ? types.dyn : known;
  }

  /** Whether each `from[i]` is assignable to `to[i]`. Binds variables only if all are. */
  assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    const mark = this.trail.length;
    if (from.every((type, index) => this.fits(type, to[index] as CelType))) return true;
    for (const { id, before } of this.trail.splice(mark).reverse()) {
      if (before === undefined) this.bound.delete(id);
      else this.bound.set(id, before);
    }
    return false;
  }

  assign(from: CelType, to: CelType): boolean {
    return this.assignAll([from], [to]);
  }

  /** The type of elements written side by side: the more general of both, or dyn when they differ. */
  join(left: CelType, right: CelType): CelType {
    if (!this.assign(right, left)) return types.dyn;
    return this.isAsGeneral(left, right) ? left : right;
  }

  private fits(left: CelType, right: CelType): boolean {
    const from = this.substitute(left);
    const to = this.substitute(right);
    if (to.kind === 'variable') return this.bind(to, from);
    if (from.kind === 'variable') return this.bind(from, to);
    if (right.kind === 'variable' && this.isAsGeneral(from, to) && !sameType(from, to)) {
      this.set(right.id, from);
    }
    if (from.kind === 'dyn' || to.kind === 'dyn') return true;
    if (from.kind === 'null') return NULLABLE.has(to.kind);
    if (to.kind === 'null') return NULLABLE.has(from.kind);
    if (from.kind === 'list') return to.kind === 'list' && this.fits(from.element, to.element);
    if (from.kind === 'optional') return to.kind === 'optional' && this.fits(from.value, to.value);
    if (from.kind === 'map' && to.kind === 'map') {
      return this.fits(from.key, to.key) && this.fits(from.value, to.value);
    }
    // A record may be used as the map it is: in macros, `size()`, `in` and comparisons with map literals.
    if (from.kind === 'object' && to.kind === 'map') return this.fits(asMap(from), to);
    if (from.kind === 'map' && to.kind === 'object') return this.fits(from, asMap(to));
    return sameType(from, to);
  }

  private bind(variable: TypeVariable, type: CelType): boolean {
    if (type.kind === 'variable' && type.id === variable.id) return true;
    if (this.mentions(type, variable.id)) return false;
    this.set(variable.id, type);
    return true;
  }

  private set(id: number, type: CelType): void {
    this.trail.push({ id, before: this.bound.get(id) });
    this.bound.set(id, type);
  }

  private mentions(type: CelType, id: number): boolean {
    const known = this.substitute(type);
    if (known.kind === 'variable') return known.id === id;
    if (known.kind === 'list') return this.mentions(known.element, id);
    if (known.kind === 'optional') return this.mentions(known.value, id);
    return known.kind === 'map' && (this.mentions(known.key, id) || this.mentions(known.value, id));
  }

  /** Whether `left` is at least as general as `right`; dyn is the most general. */
  private isAsGeneral(leftType: CelType, rightType: CelType): boolean {
    const left = this.substitute(leftType);
    const right = this.substitute(rightType);
    if (left.kind === 'dyn' || left.kind === 'variable') return true;
    if (right.kind === 'dyn' || right.kind === 'variable') return false;
    if (left.kind === 'list' && right.kind === 'list') return this.isAsGeneral(left.element, right.element);
    if (left.kind === 'optional' && right.kind === 'optional')
      return this.isAsGeneral(left.value, right.value);
    if (left.kind === 'map' && right.kind === 'map') {
      return this.isAsGeneral(left.key, right.key) && this.isAsGeneral(left.value, right.value);
    }
    if (right.kind === 'null') return true;
    return sameType(left, right);
  }
}

// The types to which cel-go assigns null: messages, timestamps, durations and opaque types.
const NULLABLE: ReadonlySet<string> = new Set(['null', 'object', 'timestamp', 'duration', 'optional']);

/** The map a record is when its fields are not named in the source. */
export function asMap(object: { fields: ReadonlyMap<string, CelType> }): CelType {
  return types.map(commonType(object.fields.values()));
}
