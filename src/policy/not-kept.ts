import { CelError } from '../cel/index.ts';

/** Stands for what is not known any more of an earlier action. */
export const notKept = new CelError('host_failure', 'the content of a recorded action was not kept');

/** The same where the value has another type: programs take an error for any value. */
export const orNotKept = <Value>(isUnknown: boolean | undefined, value: Value): Value =>
  isUnknown === true ? (notKept as Value) : value;
