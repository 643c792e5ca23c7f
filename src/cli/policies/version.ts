import { Exit, exitCodes } from '../exit.ts';

/** The number of a policy version in an argument. */
export function versionIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Exit(exitCodes.wrongUse, 'a version is a whole number from 1');
}
