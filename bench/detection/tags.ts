/** Tags that files of projects have: authors, hosts and addresses. */
export const EVERYWHERE = new Set(['EMAIL_ADDRESS', 'IP_ADDRESS', 'URL', 'USERNAME', 'NETWORK', 'ACCOUNT']);
