/** Tools that may not be called now are left out of a list, listed with the reason, or listed like the others. */
export const toolListings = ['HIDE', 'MARK', 'ALL'] as const;
export type ToolListing = (typeof toolListings)[number];
