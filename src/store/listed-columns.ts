/** Of the texts that a list leaves out, which the query names separated by commas. */
export const namesIn = (text: string): string[] => (text === '' ? [] : text.split(','));
