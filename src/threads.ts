import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts the thread whose code is the module `name`: beside `source` (the caller's `import.meta.url`) when run from
 * sources, an entry of the bundle otherwise.
 */
export function openThread(name: string, source: string, options: WorkerOptions = {}): Worker {
  // The script of the single binary starts its threads, too, by the name of what they run.
  if (isSea()) return new Worker(getAsset('main.js', 'utf8'), { ...options, eval: true, argv: [name], name });
  const type = source.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${name}.${type}`, source), { ...options, name });
}
