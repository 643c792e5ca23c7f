import { AppError } from '../errors.ts';

/** Of a change that would leave nobody who can let others in: see `OperatorStore`. */
export const lastOwner = (): AppError =>
  new AppError(
    'conflict',
    'one active owner must keep a key that never expires and works from everywhere, or nobody could let others in',
  );
