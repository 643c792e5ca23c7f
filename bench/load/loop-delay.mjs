// Loaded before the measured server: tells its event-loop delay and CPU time when asked over the channel to its parent.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// The server's own threads load it, too, and have no parent to talk to.
if (isMainThread) answerParent();

function answerParent() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  // It wakes the process once a millisecond, which costs an idle one about 2 % of a core.
  if (process.env.BENCH_LOOP_DELAY !== 'off') delay.enable();
  let cpu = process.cpuUsage();
  process.on('message', () => {
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    process.send({
      loopP99Ms: delay.percentile(99) / 1e6,
      cpuMicros: used.user + used.system,
      rssMb: process.memoryUsage().rss / 1e6,
    });
    delay.reset();
  });
  process.channel.unref();
}
