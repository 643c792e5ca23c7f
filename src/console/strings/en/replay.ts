/** The replay of the record with another policy. */
export const replayStrings = {
  replay: {
    title: 'Replay',
    about: 'Decides what was recorded once more, with the document as it is now. Nothing is recorded.',
    range: 'Evaluations',
    ranges: {
      day: 'of the last day',
      week: 'of the last 7 days',
      month: 'of the last 30 days',
      all: 'all that are recorded',
    },
    start: 'Replay the record',
    starting: 'Starting…',
    progress: (n: string, total: string) => `${n} of ${total} evaluations`,
    summary: (changed: number, n: string, total: string) =>
      changed === 1 ? `1 of ${total} decisions changes` : `${n} of ${total} decisions change`,
    stricter: 'stricter',
    looser: 'less strict',
    sessions: 'sessions concerned',
    notEvaluated: (n: string) =>
      `${n} decisions depend on content that was not kept, and go on as they were recorded.`,
    rule: 'Rule',
    findingsBefore: 'Findings then',
    findingsAfter: 'Findings now',
    action: 'Action',
    time: 'Time',
    was: 'Was',
    would: 'Would be',
    because: 'Because of',
    wouldNotCome: 'would not come',
    more: (n: string) => `The first ${n} are shown.`,
    outdated: 'The document has changed since this replay.',
  },
};
