import {
  Budget,
  CelError,
  type CelType,
  type CheckedExpression,
  global,
  type Overload,
  types,
  type Unknown,
} from '../cel/index.ts';
import type { Sighting } from '../schemas/session-context.ts';
import type { Command } from '../shell/commands.ts';
import { fieldName } from './mentions.ts';

/** Who writes the field that a value was seen in. */
export interface FieldAuthors {
  /** Whether others may have written it. True where nothing says that they did not. */
  readonly byOthers: boolean | Unknown;
  /** Whether that is so because the catalogue lists the fields that others write. */
  readonly fieldsDescribed: boolean | Unknown;
}

/** A sighting as rules read it: `field` is the name alone. */
export interface SeenSighting extends Sighting, FieldAuthors {}

/** The sightings as `seen` reads them. */
export interface SightingReadings {
  /** Oldest first; a text says why they cannot be read. `value` is as the expression has it. */
  find(value: string): readonly SeenSighting[] | string | Unknown;
}

/** All members are its own, so that no way of reading one of them finds it missing. */
export const seenSighting = (
  { seq, tool, phase, labels, whole, field, origin }: Sighting,
  { byOthers, fieldsDescribed }: FieldAuthors,
): SeenSighting => ({
  seq,
  tool,
  phase,
  labels,
  whole,
  field: fieldName(field),
  origin,
  byOthers,
  fieldsDescribed,
});

export const anyAuthor: FieldAuthors = { byOthers: true, fieldsDescribed: false };

/** The budget of a decision, which also gives the functions of the host what they read. */
export class DecisionBudget extends Budget {
  readonly sightings: SightingReadings;
  /** Which policy is running, counted from 1. */
  policy = 0;
  #commands: Map<unknown, KnownCommands> | undefined;
  constructor(steps: number, sightings: SightingReadings) {
    super(steps);
    this.sightings = sightings;
  }

  /** Results of `commands`, by the text or the list that was read. */
  get commands(): Map<unknown, KnownCommands> {
    this.#commands ??= new Map();
    return this.#commands;
  }
}

/** Commands are read once for all policies, but each pays for them: what one policy asks must not change what another one has left. */
interface KnownCommands {
  readonly commands: readonly Command[];
  readonly steps: number;
  paidBy: number;
}

const sighting: CelType = types.object('sighting', {
  seq: types.int,
  tool: types.string,
  phase: types.string,
  labels: types.list(types.string),
  whole: types.bool,
  field: types.string,
  origin: types.string,
  byOthers: types.bool,
  fieldsDescribed: types.bool,
});

/** A look-up in an index, and the list it gives. */
const steps = 200;
const NOT_KNOWN = new CelError('no_such_variable', 'what was seen is not known yet');
const NO_VALUE = new CelError('invalid_argument', 'seen: the value is neither a text nor a number');

export const seen: Overload = global('seen', [types.dyn], types.list(sighting), (budget, value: unknown) => {
  budget.left -= steps;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return NO_VALUE;
  if (!(budget instanceof DecisionBudget)) return NOT_KNOWN;
  const found = budget.sightings.find(String(value));
  return typeof found === 'string' ? new CelError('host_failure', `seen: ${found}`) : found;
});

/** Whether an expression may read who writes the fields of sightings. */
export const asksAuthors = ({ source }: CheckedExpression): boolean =>
  source.includes('byOthers') || source.includes('fieldsDescribed');

/** Whether an expression asks where values were seen. */
export const asksSeen = ({ calls }: CheckedExpression): boolean =>
  [...calls.keys()].some(({ name, target }) => name === 'seen' && target === null);
