import { AppError } from '../../errors.ts';

export const fourEyesKinds = ['policies', 'reviews'] as const;
/** The kinds of decisions that take two operators. */
export type FourEyes = (typeof fourEyesKinds)[number];

export const ownVersion = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: the author of a version cannot activate it; another operator must',
  );

export const needsProposal = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: propose this change (POST /v1/proposals); another operator must activate it',
  );

export const ownProposal = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: the author of a proposal cannot activate it; another operator must',
  );

export const ownRequest = (): AppError =>
  new AppError(
    'forbidden',
    'four-eyes control: who made a key of the integration, or is the entity of the session, cannot approve its actions or remove their labels',
  );
