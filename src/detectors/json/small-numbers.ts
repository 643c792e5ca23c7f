import type { KeyInfo } from '../context/keys.ts';
import { tagId } from '../taxonomy.ts';

const SMALL: readonly number[] = ['CARD_SECURITY_CODE', 'PIN'].map(tagId);
const DECIMAL: readonly number[] = [tagId('COORDINATES')];

/** Whether the key names a kind of which a small number, or one with decimals, is a value. */
export function isSmallKind(value: number, { contexts }: KeyInfo, strict: boolean): boolean {
  const kinds = Number.isInteger(value) ? SMALL : DECIMAL;
  if (kinds === DECIMAL && !strict) return false; // degrees alone are any measure
  return (value >= 100 || kinds === DECIMAL) && contexts.some((context) => kinds.includes(context));
}
