import type { CounterScope, PlannedCounter } from '../schemas/counter-cells.ts';

// Which counters an integration has, and since when. Pure, for every backend.

interface Member {
  /** Stands for the identity in what is kept; never used again for another one, or for the same one that was gone meanwhile. */
  readonly id: number;
  readonly over: CounterScope;
  /** The epoch in which the integration got it. */
  readonly since: number;
  /** Whether only policies of other integrations have it. */
  readonly delegated: boolean;
}

/** What is planned where no policy has a counter. */
export const noCounters: readonly PlannedCounter[] = [];

/** Of counters that this evaluation does not have: those of other delegations. */
const mostKept = 200;

/**
 * The counters of an integration as of the last evaluation. Whenever there are others, an epoch begins. A scope that was
 * brought up to an epoch has counted for all counters that were there then; for younger ones it has not.
 */
export class CounterSet {
  readonly epoch: number;
  readonly #nextId: number;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #identities: ReadonlyMap<number, string>;
  readonly #youngest: Record<CounterScope, number> = {
    session: 0,
    tree: 0,
    entity: 0,
    integration: 0,
  };
  /** The last that were found to be the same, own and delegated: policies in force are one object until they change. */
  readonly #same: [readonly PlannedCounter[] | null, readonly PlannedCounter[] | null] = [null, null];

  private constructor(epoch: number, nextId: number, members: ReadonlyMap<string, Member>) {
    this.epoch = epoch;
    this.#nextId = nextId;
    this.#members = members;
    this.#identities = new Map([...members].map(([identity, { id }]) => [id, identity]));
    for (const { over, since } of members.values())
      this.#youngest[over] = Math.max(this.#youngest[over], since);
  }

  static readonly empty = (): CounterSet => new CounterSet(0, 1, new Map());

  /** Of `text`. */
  static parse(text: string): CounterSet {
    const { epoch, nextId, members } = JSON.parse(text) as SetText;
    return new CounterSet(epoch, nextId, new Map(members));
  }
  get text(): string {
    const { epoch } = this;
    return JSON.stringify({ epoch, nextId: this.#nextId, members: [...this.#members] } satisfies SetText);
  }

  /**
   * The set with these counters: this one when they are the same. With `delegated`, the policies of other integrations
   * decide as well, in sessions that they delegated to this one: their counters are added, and stay while others are planned.
   */
  with(planned: readonly PlannedCounter[], delegated: boolean): CounterSet {
    if (planned === this.#same[delegated ? 1 : 0]) return this;
    const kept = [...this.#members].filter(([, member]) => delegated || member.delegated);
    const members = new Map<string, Member>(kept.slice(-mostKept));
    const epoch = this.epoch + 1;
    let nextId = this.#nextId;
    for (const { identity, over } of planned) {
      const known = this.#members.get(identity);
      const isDelegated = delegated && (known?.delegated ?? true);
      if (known) members.set(identity, { ...known, delegated: isDelegated });
      else members.set(identity, { id: nextId++, over, since: epoch, delegated: isDelegated });
    }
    const set = this.#isSame(members) ? this : new CounterSet(epoch, nextId, members);
    set.#same[delegated ? 1 : 0] = planned;
    return set;
  }
  #isSame(members: ReadonlyMap<string, Member>): boolean {
    const isKept = ([identity, { delegated }]: [string, Member]): boolean =>
      this.#members.get(identity)?.delegated === delegated;
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
   * Those of `planned` that came after the epoch. Others, of policies that do not decide now, cannot be counted without their
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
  members: [string, Member][];
}
