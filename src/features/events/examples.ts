export const event = {
  specversion: '1.0',
  id: '0198c2f1-2e4e-7c11-9d27-5a3f8b0c6e42',
  source: 'https://assize.example.com',
  type: 'review.opened',
  subject: 'reviews/0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
  time: '2026-11-22T09:31:12.408Z',
  datacontenttype: 'application/json',
  sequence: '0000000000004711',
  data: {
    reviewRequestId: '0198c2f1-2e4c-7b63-9f80-4c2d6a8e1b39',
    integrationName: 'support agent',
    tool: 'email.send',
    severity: 'HIGH',
    expiresAt: '2026-11-22T09:46:12.408Z',
  },
};

export const eventExamples: Readonly<Record<string, unknown>> = {
  Event: event,
  'followEvents response text/event-stream': `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`,
  EventPage: { events: [event], lastEventId: event.sequence },
};
