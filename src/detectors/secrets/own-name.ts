import type { Pass } from '../pass.ts';

/** Where a word of an identifier in camel case ends. */
const JOINT = /(?<=[a-z])(?=[A-Z])/g;

/** Whether the value is the end of its own label: `#define SSL_TXT_kPSK "kPSK"`, `exports.Password = Password`. */
export function isOwnName(pass: Pass, from: number, text: string): boolean {
  const { labelStart, labelEnd } = pass;
  // none was read, or another one behind it
  if (labelEnd <= labelStart || labelEnd > from) return false;
  const label = pass.slice(labelStart, labelEnd);
  return label.endsWith(text) || isInCapitals(text, label);
}

/** Whether the label ends with the words of an identifier: `CHALLENGE_PASSWORD: "challengePassword"`. */
function isInCapitals(identifier: string, label: string): boolean {
  const words = identifier.replace(JOINT, '_');
  return words !== identifier && label.endsWith(words.toUpperCase());
}
