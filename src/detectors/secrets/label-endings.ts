/** Last two letters of the words that label values, by the five low bits of each. */
const ENDINGS = new Uint8Array(1024);
const LAST_TWO =
  'rd wd se de rt na ha ss pw ey ys et ts en ns id th er on at sn al ls ds lt ie rl me es om do os nt ed ne dr zo co cd is dx ' +
  'in cm ic ft rn no cy ct um ce ng tr ue by re se lo ha la ie so ko am ke he fr ey me en to ni mn di ly au iz dp ma mt ve sk';
for (const two of LAST_TWO.split(' '))
  ENDINGS[((two.charCodeAt(0) & 31) << 5) | (two.charCodeAt(1) & 31)] = 1;

/** Whether a label may end with these two characters: one look-up rejects most colons and equals signs. */
export function mayEndLabel(first: number, last: number): boolean {
  if (last >= 48 && last <= 57) return true; // address2
  if (last >= 0x80) return true; // other scripts have few words
  return last > 64 && ENDINGS[((first & 31) << 5) | (last & 31)] === 1;
}
