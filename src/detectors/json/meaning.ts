import type { KeyCache, KeyInfo } from '../context/keys.ts';
import { elementBeside } from './elements.ts';
import { inherit, kindBeside, nameBeside } from './structures.ts';

/** What a member is that is only called a key, below a name that says of what. */
const ANY_KEY = 'its_key';

/** What a member says of its value, with what the object that holds it says. */
export function meant(
  object: Readonly<Record<string, unknown>>,
  outer: KeyInfo,
  own: KeyInfo,
  keys: KeyCache,
  key: string,
): KeyInfo {
  if (outer.keyed && !own.named && key.toLowerCase() === 'key') return keys.get(ANY_KEY);
  if (own.holds) return inherit(named(object, outer, keys), own);
  return outer.contexts.length > 0 || outer.label !== null ? inherit(outer, own) : own;
}

/** What the name beside a value says of it: {"name": "DB_PASSWORD", "value": …}. */
export function named(object: Readonly<Record<string, unknown>>, outer: KeyInfo, keys: KeyCache): KeyInfo {
  const name = nameBeside(object);
  const info = name === null ? null : keys.get(name);
  if (info?.named) return inherit(outer, info);
  for (const kind of [kindBeside(object), elementBeside(object)]) {
    const known = kind === null ? null : keys.get(kind);
    if (known?.named) return inherit(outer, known);
  }
  return info === null ? outer : inherit(outer, info);
}
