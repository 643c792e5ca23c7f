/** In the order of a review's life. Without TypeBox: commands read it at every start. */
export const reviewStatuses = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
  'CANCELLED',
  'CONSUMED',
] as const;
