/** Where a sealed text belongs: one that is copied to another place cannot be opened there. */
export const placeOf = (id: string, field: 'destination' | 'secret'): string => `webhooks/${id}/${field}`;
