export const webhookFormats = ['EVENTS', 'SLACK', 'TEAMS', 'EMAIL'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const webhookStatuses = ['ACTIVE', 'DISABLED'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
