/** In the order of a review's life. Without TypeBox: commands read it at every start. */
export const reviewStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'CONSUMED',
] as const;

/** Reasons that an operator can give for a decision without writing a comment. */
export const reviewReasons = [
  'EXPECTED',
  'CONFIRMED_WITH_REQUESTER',
  'FALSE_POSITIVE',
  'WRONG_RECIPIENT',
  'TOO_MUCH_DATA',
  'NOT_AUTHORIZED',
  'SUSPECTED_INJECTION',
  'OTHER',
] as const;
