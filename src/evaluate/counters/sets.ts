import { type CounterScope, counterScopes, type PlannedCounter } from '../../schemas/counter-cells.ts';

// Which counters an integration has, and since when. Pure, for every backend.

interface Member {
  /** Stands for the identity in what is kept; never used again for another one, or for the same one that was gone meanwhile. */
  readonly id: number;
  readonly over: CounterScope;
  /** The epoch in which the integration got it. */
  readonly since: number;
  /** The integrations whose policies have it. */
  readonly by: readonly string[];
}

/** Whose policies decide an evaluation. */
export interface Deciders {
  readonly integrationId: string;
  /** The other integrations that delegated its session. */
  readonly delegators: readonly { readonly integrationId: string }[];
}

/** In the sets of earlier versions, which do not name the integrations. */
const unnamed = '';

/** The planned counters where no policy has a counter. */
export const noCounters: readonly PlannedCounter[] = [];
/** The delegators of a session that no other integration delegated. */
export const noDelegators: readonly never[] = [];

/** Counters that this evaluation does not have: those of other integrations. */
const mostKept = 200;

/**
 * The counters of an integration as of the last evaluation. Whenever there are others, an epoch begins. A scope that was
 * brought up to an epoch has counted for all counters that were there then; for younger ones it has not.
 */
export class CounterSet {
  readonly epoch: number;
  readonly #nextId: number;
  readonly #members: ReadonlyMap<string, Member>;
  /** The integrations whose policies have decided since there are counters. */
  readonly #deciders: ReadonlySet<string>;
  readonly #identities: ReadonlyMap<number, string>;
  readonly #youngest: Record<CounterScope, number> = {
    session: 0,
    tree: 0,
    entity: 0,
    integration: 0,
  };
  /** For these it is the same: policies in force, and those who delegate, are one object until they change. */
  readonly #same = new WeakMap<readonly PlannedCounter[], Deciders['delegators']>();

  private constructor(
    epoch: number,
    nextId: number,
    members: ReadonlyMap<string, Member>,
    deciders: ReadonlySet<string>,
  ) {
    this.epoch = epoch;
    this.#nextId = nextId;
    this.#members = members;
    this.#deciders = deciders;
    this.#identities = new Map([...members].map(([identity, { id }]) => [id, identity]));
    for (const { over, since } of members.values())
      this.#youngest[over] = Math.max(this.#youngest[over], since);
  }

  static readonly empty = (): CounterSet => new CounterSet(0, 1, new Map(), new Set());

  /** Digest of `text`. */
  static parse(text: string): CounterSet {
    const { epoch, nextId, members, deciders = [] } = JSON.parse(text) as SetText;
    const named = members.map(([identity, member]): [string, Member] => [
      identity,
      { ...member, by: member.by ?? [unnamed] },
    ]);
    return new CounterSet(epoch, nextId, new Map(named), new Set(deciders));
  }
  get text(): string {
    const [members, deciders] = [[...this.#members], [...this.#deciders]];
    return JSON.stringify({ epoch: this.epoch, nextId: this.#nextId, members, deciders } satisfies SetText);
  }

  /**
   * The set after an evaluation with these counters over such scopes: this one when they are the same. Counters of integrations
   * that do not decide it stay. One that a decider does not have any more misses what it does from now on: when its policies
   * have it again, it is a new one.
   */
  with(
    planned: readonly PlannedCounter[],
    { integrationId, delegators }: Deciders,
    scopes: readonly CounterScope[] = counterScopes,
  ): CounterSet {
    if (this.#same.get(planned) === delegators) return this;
    const above = delegators.map((one) => one.integrationId);
    const deciding = [integrationId, ...above];
    const members = this.#membersWithout(deciding, scopes);
    const epoch = this.epoch + 1;
    let nextId = this.#nextId;
    for (const { identity, over, by: named } of planned) {
      if (!scopes.includes(over)) continue;
      const known = this.#members.get(identity);
      const had = known?.by.filter((id) => deciding.includes(id)) ?? [];
      const by = named ?? (had.length > 0 ? had : above.length > 0 ? above : [integrationId]);
      const misses = by.some((id) => this.#deciders.has(id) && !had.includes(id));
      const member = known && !misses ? known : { id: nextId++, over, since: epoch };
      members.set(identity, { ...member, by: [...(members.get(identity)?.by ?? []), ...by] });
    }
    const deciders = members.size === 0 ? this.#deciders : new Set([...this.#deciders, ...deciding]);
    const isSame = deciders.size === this.#deciders.size && this.#hasSame(members);
    const set = isSame ? this : new CounterSet(epoch, nextId, members, deciders);
    set.#same.set(planned, delegators);
    return set;
  }
  /** The counters of all other deciders. */
  #membersWithout(deciding: readonly string[], scopes: readonly CounterScope[]): Map<string, Member> {
    const members = [...this.#members].flatMap(([identity, member]): [string, Member][] => {
      if (!scopes.includes(member.over)) return [[identity, member]];
      const by = member.by.filter((id) => !deciding.includes(id));
      return by.length === 0 ? [] : [[identity, { ...member, by }]];
    });
    return new Map(members.slice(-mostKept));
  }
  #hasSame(members: ReadonlyMap<string, Member>): boolean {
    const isKept = ([identity, { id, by }]: [string, Member]): boolean => {
      const known = this.#members.get(identity);
      return known?.id === id && known.by.length === by.length && by.every((one) => known.by.includes(one));
    };
    return members.size === this.#members.size && [...members].every(isKept);
  }

  /** Undefined for a counter that the integration does not have. */
  idOf = (identity: string): number | undefined => this.#members.get(identity)?.id;
  identityOf = (id: number): string | undefined => this.#identities.get(id);

  /** Whether a scope that was last brought up to `epoch` has counted for all of its counters. */
  isCountedAt(scope: CounterScope, epoch: number): boolean {
    return this.#youngest[scope] <= epoch;
  }
  /** Whether a scope that was last brought up to `epoch` has counted for this counter. */
  isCountedFor(identity: string, epoch: number): boolean {
    const member = this.#members.get(identity);
    return member !== undefined && member.since <= epoch;
  }
  /** The numbers of its counters over such scopes that came after the epoch. */
  idsAfter(scope: CounterScope, epoch: number): number[] {
    return [...this.#members.values()]
      .filter(({ over, since }) => over === scope && since > epoch)
      .map(({ id }) => id);
  }
  /**
   * The counters of `planned` that came after the epoch. Others, of policies that do not decide now, cannot be counted without their
   * definition: they wait for an evaluation that has it.
   */
  youngerThan(scope: CounterScope, epoch: number, planned: readonly PlannedCounter[]): string[] {
    return planned.flatMap(({ identity, over }) =>
      over === scope && (this.#members.get(identity)?.since ?? 0) > epoch ? [identity] : [],
    );
  }
}

interface SetText {
  epoch: number;
  nextId: number;
  members: [string, Omit<Member, 'by'> & Partial<Pick<Member, 'by'>>][];
  deciders?: string[];
}
