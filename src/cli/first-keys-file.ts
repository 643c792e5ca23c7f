/** Where the keys of a first start are written when there is no terminal to show them on. */
export const firstKeysFile = (database: string): string => `${database}-first-keys.txt`;
