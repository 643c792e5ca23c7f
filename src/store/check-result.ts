/** What one check of an installation found. */
export interface CheckResult {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do; null when nothing is to be done. */
  fix: string | null;
}

export const ok = (check: string, message: string): CheckResult => ({
  check,
  status: 'ok',
  message,
  fix: null,
});
export const warn = (check: string, message: string, fix: string): CheckResult => ({
  check,
  status: 'warn',
  message,
  fix,
});
export const fail = (check: string, message: string, fix: string): CheckResult => ({
  check,
  status: 'fail',
  message,
  fix,
});
