import { fileURLToPath } from 'node:url';

/** A file or folder that is shipped beside `src/`, and so beside `dist/` when bundled. */
export const shipped = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
