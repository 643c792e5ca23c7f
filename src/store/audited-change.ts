/** The id of what a change made: stores return it by its id. */
export function idOfChanged(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('id' in result)) return null;
  return typeof result.id === 'string' ? result.id : null;
}

/** JSON text of a resource in an audit entry, with times as the API writes them. */
export const shownResource = (resource: object): string =>
  JSON.stringify(resource, (name: string, value: unknown) =>
    name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value,
  );
