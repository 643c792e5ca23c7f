import type { ModeOf } from '../features/policies/store-enforcement.ts';
import type { CheckResult } from './check-result.ts';

export interface ClockCorrection {
  from: number;
  to: number;
  /** How many open sessions and reviews end. */
  sessions: number;
  reviews: number;
}

export interface ExaminedBy {
  /** The clock of this machine. */
  now: number;
  modeOf: ModeOf;
  /** Whether there is a key that encrypts stored secrets. */
  hasSecretsKey: boolean;
}

/**
 * What operators do to a database itself, besides serving it. A backend that leaves something of this to the tools of its
 * database refuses it with an `AppError` of code `invalid` that names the tool. So is what cannot be done as it was
 * asked for; what fails, or cannot be done now, is a `conflict`. Nothing is changed then.
 */
export interface Maintenance {
  /** Refuses a database that is missing, not of this service, or of another version: only serving migrates one. */
  assertCurrent(): Promise<void>;

  /**
   * Copies the database as it is at one moment, even while it is in use. The copy is checked and on disk before it gets
   * its name. `replaces`: whether a file of that name may be replaced.
   */
  backup(file: string, replaces: boolean): Promise<{ bytes: number }>;

  /** Replaces the database with a backup, which is copied and checked before. Nobody may use the database. */
  restore(file: string): Promise<{ keptAs: string | null }>;

  /** Looks at the database, and changes nothing of it. */
  examine(by: ExaminedBy): Promise<CheckResult[]>;

  /** What `correctClock` would do; null when the latest recorded time is not ahead of `to`. */
  planClockCorrection(to: number): Promise<ClockCorrection | null>;

  /**
   * Sets the latest recorded time back to `to`, and ends what is open: nobody can say how old it is. Nobody may use the
   * database. Null, and nothing is done, when that time is not ahead of `to`.
   */
  correctClock(to: number): Promise<ClockCorrection | null>;

  /** Lets retention go on after the clock jumped ahead. False when it was not held. */
  confirmRetention(): Promise<boolean>;
}
