/** By kind, what runs by its name. */
export const named: Record<string, Record<string, (...args: string[]) => boolean | Promise<boolean>>>;
