/** A list that is stored as JSON text, or as null when it is empty. */
export const parseList = <T>(text: string | null): T[] => (text === null ? [] : (JSON.parse(text) as T[]));
