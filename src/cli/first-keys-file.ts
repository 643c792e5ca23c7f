import { isPostgres } from '../store/address.ts';

/** Where the keys of a first start are written when there is no terminal to show them on. */
export const firstKeysFile = (database: string): string =>
  isPostgres(database) ? 'assize-first-keys.txt' : `${database}-first-keys.txt`;
