/** Management calls, and who made them. */
export const auditStrings = {
  audit: {
    title: 'Audit',
    none: 'Nothing has been recorded yet.',
    text: 'Every change and every refused call. Entries are kept for good.',
    outcome: 'Outcome',
    outcomes: { SUCCEEDED: 'Done', REFUSED: 'Refused', FAILED: 'Failed' },
    before: 'Before',
    after: 'After',
    at: 'At',
    actor: 'By',
    action: 'Action',
    resource: 'Resource',
    resourceId: 'Id of the resource',
    message: 'Message',
    address: 'Address',
    reads: 'Show reads',
  },
};
