/** The page that a list shows when its request names none, and how many entries it has. */
export const defaultPage = { page: 1, size: 50 } as const;

/** The query of a list with `page` and `size`, by default the first 50. */
export const withPage = <Query extends { page?: number; size?: number }>(
  query: Query,
): Query & { page: number; size: number } => ({ ...defaultPage, ...query });
