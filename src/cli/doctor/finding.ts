/** What one look of the doctor found. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** What to do; null when nothing is to be done. */
  fix: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, fix: null });
export const warn = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warn',
  message,
  fix,
});
export const fail = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'fail',
  message,
  fix,
});
