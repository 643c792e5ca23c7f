import { LOW_LINE_SIGN } from '../text/ascii.ts';
import { LOWER } from '../text/bytes.ts';
import { classAt } from '../text/read.ts';

/** Whether the label is the name of a variable of the environment: DB_PASSWORD. */
export function isVariable(b: Uint8Array, from: number, to: number): boolean {
  return isCapital(b, from, to) && isSnake(b, from, to);
}

/** Whether a low line joins words of the label. */
export function isSnake(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (b[i] === LOW_LINE_SIGN) return true;
  return false;
}

/** Whether the label has no small letter: PASSWORD in SQL, ADMINPASSWORD. */
export function isCapital(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (classAt(b, i) & LOWER) return false;
  return true;
}
