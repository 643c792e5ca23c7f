import { parentPort } from 'node:worker_threads';
import { createScanJobs } from './scan-job.ts';
import { packed, type ScanJob } from './scan-messages.ts';
import { lowerThreadPriority } from './thread-priority.ts';

// The thread of `scan-pool.ts`. An error that it does not catch ends it, and fails the job.
lowerThreadPriority();
const run = createScanJobs();

parentPort?.on('message', (job: ScanJob) => parentPort?.postMessage(packed(run(job), job.text)));
