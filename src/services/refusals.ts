import { AppError } from '../errors.ts';

type OperatorsResource =
  | 'audit entry'
  | 'integration'
  | 'operator'
  | 'list'
  | 'proposal'
  | 'violation'
  | 'governed entity'
  | 'operator key'
  | 'integration key'
  | 'policy'
  | 'root of the record'
  | 'policy version'
  | 'house policy'
  | 'webhook'
  | 'MCP server'
  | 'webhook delivery'
  | 'policy bound to this integration:';
type IntegrationsResource = 'evaluation' | 'evaluation session' | 'review';

/** For what only operators see: the message repeats the id that was sent. */
export const notFound = (resource: OperatorsResource, id: string): AppError =>
  new AppError('not_found', `there is no ${resource} ${id}`);

/**
 * For what integrations see: the message names the field or parameter that held the id, and no id. So the response for
 * another integration's resource is the same, to the byte, as for one that does not exist. `path` is the place in a body.
 */
export const notFoundBy = (field: string, resource: IntegrationsResource, path?: string): AppError =>
  new AppError('not_found', `there is no ${resource} with this ${field}`, path === undefined ? {} : { path });

/** The value, or a `not_found` error for null. */
export function found<T>(value: T | null, resource: OperatorsResource, id: string): T {
  if (value === null) throw notFound(resource, id);
  return value;
}

/** The same for what integrations see. */
export function foundBy<T>(value: T | null, field: string, resource: IntegrationsResource): T {
  if (value === null) throw notFoundBy(field, resource);
  return value;
}

/** The refusal of a change whose caller read an earlier version. */
export const outdated = (): AppError =>
  new AppError('precondition_failed', 'it was changed since: read it again, and send its ETag as If-Match');

/** The result of a change, unless it was refused as outdated. */
export function asExpected<T>(result: T | 'outdated'): T {
  if (result === 'outdated') throw outdated();
  return result as T;
}
