// In the place of the package async-hook-domain, by quick-modules.mjs: which test fails by an error that nothing caught.
// The tests of a process run one after another, so it is the innermost one that runs. The package follows every promise by async hooks
// instead, which takes a good part of the processor time of tests that call the service.

const running = [];

/** Of a test: entered when it starts, as scripts/tap/test does, since tap makes the test when it is declared. */
export class Domain {
  constructor(onerror) {
    this.onerror = onerror;
    // The outermost test is never started.
    if (running.length === 0) this.enter();
  }
  enter() {
    running.push(this);
  }
  destroy() {
    const at = running.indexOf(this);
    if (at >= 0) running.splice(at, 1);
  }
}

/** Whether a test has taken the error. A handler that a test has set itself goes first. */
function take(error, from) {
  const domain = running.at(-1);
  if (
    !domain ||
    process.hasUncaughtExceptionCaptureCallback() ||
    process.listenerCount('uncaughtException') > 0
  )
    return false;
  domain.onerror(error, from);
  return true;
}

process.on('uncaughtExceptionMonitor', (error, from) => {
  // Only a callback of this kind keeps the process from ending; only for this error.
  if (take(error, from))
    process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null));
});

const { emit } = process;
process.emit = (name, ...args) =>
  (name === 'unhandledRejection' && process.listenerCount(name) === 0 && take(args[0], name)) ||
  emit.call(process, name, ...args);
