import type { Node } from '../../cel/ast.ts';
import { integrationKinds } from '../../features/integrations/words.ts';
import { toolEffects } from '../../features/tools/words.ts';
import { enforcementActions, phases, severities } from '../../schemas/decisions.ts';
import { at, type Part } from './canonical.ts';

/** A set of texts that a field may have, and what one of them is called. */
export interface Domain {
  readonly what: string;
  readonly values: readonly string[] | 'tags' | 'zones';
}

const tag: Domain = { what: 'data tag', values: 'tags' };
const severity: Domain = { what: 'severity', values: severities };

/** By the record and field that a part reads. */
const fields: Readonly<Record<string, Domain>> = {
  'action.enforcementAction': { what: 'enforcement action', values: enforcementActions },
  'action.severity': severity,
  'decision.enforcementAction': { what: 'enforcement action', values: enforcementActions },
  'decision.severity': severity,
  'detection.type': tag,
  'integration.kind': { what: 'kind of integration', values: integrationKinds },
  'sighting.phase': { what: 'phase', values: phases },
  'result.status': { what: 'result status', values: ['OK', 'FAILED', ''] },
};
const names: Readonly<Record<string, Domain>> = {
  phase: { what: 'phase', values: phases },
  toolEffect: { what: 'tool effect', values: [...toolEffects, ''] },
};

/** Names that macros bind to data tags. */
export type Bound = ReadonlySet<string>;

/** The texts that a part may be; null when it may be any. */
export function domainOf(part: Part, bound: Bound): Domain | null {
  const { node, types } = part;
  if (node.kind === 'name') return bound.has(node.name) ? tag : (names[node.name] ?? null);
  if (node.kind === 'index') return isTags(at(part, node.operand)) ? tag : null;
  if (node.kind !== 'select') return null;
  const type = types.get(node.operand);
  return type?.kind === 'object' ? (fields[`${type.name}.${node.field}`] ?? null) : null;
}

export const tagDomain = tag;
export const severityDomain = severity;
export const zoneDomain: Domain = { what: 'time zone', values: 'zones' };

/** Whether a part is a list of data tags: of the action, of the session or of an earlier action. */
export function isTags(part: Part): boolean {
  const { node, types } = part;
  if (node.kind === 'name') return node.name === 'dataTags';
  if (node.kind === 'macro') return node.macro === 'filter' && isTags(at(part, node.range));
  if (node.kind !== 'select' || node.field !== 'dataTags') return false;
  const type = types.get(node.operand as Node);
  return type?.kind === 'object' && (type.name === 'session' || type.name === 'action');
}
