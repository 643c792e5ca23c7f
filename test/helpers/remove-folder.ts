import { rm } from 'node:fs/promises';

/** Removes a folder in which a program that has just been stopped may still write for a moment: tries for some 5 s. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
