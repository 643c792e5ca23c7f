import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../threads.ts';
import { createScanJobs } from './scan-job.ts';
import { packed, type ScanJob } from './scan-messages.ts';

// The thread of `scan-pool.ts`. An error that it does not catch ends it, and fails the job.
lowerThreadPriority();
const run = createScanJobs();

parentPort?.on('message', (job: ScanJob) => parentPort?.postMessage(packed(run(job), job.text)));
