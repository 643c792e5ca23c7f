// Replaces the package async-hook-domain (see quick-modules.mjs): decides which test an uncaught error fails. The tests of a process run one
// after another, so that is the innermost running test. The package tracks every promise with async hooks instead, which takes 5 to 20 % of
// the processor time of tests that call the service.

const running = [];

/** The domain of one test. tap creates it when the test is declared; scripts/tap/test enters it when the test starts. */
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

/** Fails the running test with the error; false when there is none, or when a test has set a handler of its own. */
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
