import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../threads.ts';
import { runJob, type ThreadJob } from './check-job.ts';

// The thread of `policy-checker.ts`. An error that it does not catch ends it, and fails the job.
lowerThreadPriority();
parentPort?.on('message', (job: ThreadJob) => parentPort?.postMessage(runJob(job)));
