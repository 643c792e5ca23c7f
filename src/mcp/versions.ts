export const latestVersion = '2026-07-28';

/** Newest first: the first of the older ones is offered to a client that asks for one we do not speak. */
export const protocolVersions = [latestVersion, '2025-11-25', '2025-06-18', '2025-03-26'];
